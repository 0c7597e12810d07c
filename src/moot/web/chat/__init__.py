"""Moot as a model: chat completions, as clients of OpenAI's endpoints know them, each answered by a deliberation."""
