import Catalog
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// Every product of a market as a scan saw it at one time.
package struct Snapshot: Hashable, Sendable {
  /// The circumstances of the scan.
  package struct Head: Hashable, Sendable {
    package var takenAt: Timestamp
    /// The base URL, or `nil` for the embedded market, whose port changes with every start.
    package var url: String?
    package var edition: String
    package var products: Int
    /// A Boolean value that is false if the scan may have missed products.
    package var isComplete: Bool

    package init(takenAt: Timestamp, url: String?, edition: String, products: Int, isComplete: Bool) {
      self.takenAt = takenAt
      self.url = url
      self.edition = edition
      self.products = products
      self.isComplete = isComplete
    }
  }

  /// The name, or `nil` for the current state of the market.
  package var name: String?
  package var head: Head
  /// The products in the order of the list, with the fields that its rows contain.
  ///
  /// Some editions provide descriptions and pictures only for single products.
  package var products: [Product]

  package init(name: String? = nil, head: Head, products: [Product]) {
    self.name = name
    self.head = head
    self.products = products
  }
}

extension Snapshot {
  /// Returns true for letters, digits, `-`, `_` and dots, in at most 100 bytes and not with `-` or a dot first.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-"
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
      }
  }
}

/// The check that a plan is applied to the market and by the vendor for which it was decided.
package struct DestinationCheck {
  private let planned: PlanFile.Destination

  package init(_ planned: PlanFile.Destination) { self.planned = planned }

  /// Checks a plan file against the current destination.
  ///
  /// - Throws: `CommandError` that names every difference; nothing was sent.
  package func check(_ here: PlanFile.Destination, named path: String) throws(CommandError) {
    guard planned != here else { return }
    var message = Message.failure(
      "The plan \(.value(path)) was made for another server or profile. Nothing was sent.",
      ko: "\(.value(path), .topic) 다른 서버나 프로필용 계획입니다. 아무것도 보내지 않았습니다.")
    for (what, theirs, ours) in sides(here) where theirs != ours {
      message = message.because(
        "Its \(what.english) is \(.foreign(theirs)), but yours is \(.foreign(ours)).",
        ko: "\(what.korean): 계획 파일은 \(.foreign(theirs)), 현재는 \(.foreign(ours)).")
    }
    if planned.vendor == here.vendor, planned.login != here.login {
      message = message.because("It was made as another vendor.", ko: "다른 로그인의 계획입니다.")
    }
    throw CommandError(.blocked, message, code: .otherDestination)
  }

  /// Returns the parts of a destination, as the plan contains them and as they are here.
  private func sides(_ here: PlanFile.Destination) -> [((english: String, korean: String), String, String)] {
    [
      (("profile", "프로필"), planned.profile, here.profile), (("URL", "주소"), planned.baseURL, here.baseURL),
      (("vendor", "판매자"), number(planned.vendor), number(here.vendor)),
    ]
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}
