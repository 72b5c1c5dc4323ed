/// The approval given for the run by the program's option `--yes`.
package struct StandingConsent: Hashable, Sendable {
  package var yes: Bool
  package init(yes: Bool = false) { self.yes = yes }
}
