"""What rows come to: accuracy, calibration, votes, goals. Pure."""
