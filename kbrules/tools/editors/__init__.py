"""What editors need: colours, grammars, schemas."""
