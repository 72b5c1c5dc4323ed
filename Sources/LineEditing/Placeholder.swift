// LineEditing
