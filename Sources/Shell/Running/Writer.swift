import Catalog
import Foundation
import Journal
import Marketplace
import Presentation

/// Carries a plan out through the one runner that writes, says how each change ended, and brings the session up to date.
struct Writer {
  private let session: Session
  private let context: Context

  init(session: Session, context: Context) {
    self.session = session
    self.context = context
  }
}
