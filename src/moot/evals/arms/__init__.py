"""The arms of an evaluation: the paper's six, self-consistency, `frontier`, and every protocol that Moot has."""
