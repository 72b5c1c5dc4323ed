/// What the options of the program said for the whole run: `--yes`, `--read-only`.
package struct StandingConsent: Hashable, Sendable {
  package var yes: Bool
  package init(yes: Bool = false) { self.yes = yes }
}
