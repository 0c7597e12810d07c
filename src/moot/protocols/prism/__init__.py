"""A claim through seven layers, by agents and people, each layer with a gate and a person behind it."""
