import Text

/// The scripts by which a system's shell completes `openmarket`: each hands the words to `openmarket __complete` and offers
/// what that prints.
enum CompletionScript: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The shell that ArgumentParser's own script is for, which knows no commands, profiles or formats.
  init(insteadOf script: String) {
    if script.hasPrefix("#!/bin/bash") {
      self = .bash
    } else if script.hasPrefix("#compdef") {
      self = .zsh
    } else {
      self = .fish
    }
  }

  var text: String {
    switch self {
    case .bash:
      // A candidate that completes a word ends with a space.
      """
      # Completion of openmarket for bash.
      _openmarket() {
        mapfile -t COMPREPLY < <("$1" __complete bash "$2" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      }
      complete -o nospace -F _openmarket openmarket

      """
    case .zsh:
      """
      #compdef openmarket
      # Completion of openmarket for zsh.
      _openmarket() {
        local -a whole open
        local kind text about
        while IFS=$'\\t' read -r kind text about; do
          text=${text//:/\\\\:}
          case $kind in
            whole) whole+=("$text:$about") ;;
            open) open+=("$text:$about") ;;
          esac
        done < <("${(Q)words[1]}" __complete zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)
        _describe -t values openmarket whole -- open -S ''
      }
      if [[ ${funcstack[1]} == _openmarket ]]; then
        _openmarket "$@"
      else
        compdef _openmarket openmarket
      fi

      """
    case .fish:
      """
      # Completion of openmarket for fish.
      function __openmarket_complete
          set -l words (commandline -opc)
          set -l program $words[1]
          set -e words[1]
          set -l current (commandline -ct)
          $program __complete fish $words "$current" 2>/dev/null
      end
      complete -c openmarket -f -a '(__openmarket_complete)'

      """
    }
  }

  /// One candidate as the script reads it.
  func line(_ candidate: CommandLineCompletion.Offer, typed: POSIXWords, replacing current: String) -> String {
    let about = candidate.about.replacing("\t", with: " ").replacing("\n", with: " ")
    switch self {
    case .bash:
      let text = typed.quote == nil ? CompletionScript.escaped(candidate.text) : candidate.text
      let before = typed.raw.hasSuffix(current) ? typed.raw.count - current.count : 0
      return text.dropFirst(before) + (candidate.endsWord && typed.quote == nil ? " " : "")
    case .zsh: return "\(candidate.endsWord ? "whole" : "open")\t\(candidate.text)\t\(about)"
    case .fish: return "\(candidate.text)\t\(about)"
    }
  }

  /// Returns the text with a backslash before each character that a POSIX shell would interpret.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.value > 127 || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || "_@%+=:,./-".unicodeScalars.contains(scalar)
      if !isPlain { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
