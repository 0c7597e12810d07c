"""Who may come in: keys, sessions of browsers, and links that open one."""
