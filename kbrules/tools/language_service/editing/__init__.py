"""Changes of texts that an editor offers: actions and formatting."""
