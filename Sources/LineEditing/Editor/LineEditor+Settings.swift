extension LineEditor {
  package func setKeys(_ keys: Keys) {
    options.keys = keys
    core?.options.keys = keys
    core?.configureKeys()
  }

  package func setSuggestions(_ isOn: Bool) {
    options.suggestions = isOn
    core?.options.suggestions = isOn
  }

  package func setColors(_ isOn: Bool) {
    options.colors = isOn
    core?.options.colors = isOn
  }
}
