import Foundation
import TerminalTesting
import TestSupport
import Testing

/// `profile demo api=…`: the same stored products in each edition, in one run and in later ones.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct DetectedEditionsTests {
  static let editions = ["camp1", "camp2", "training", "open"]

  /// A product created in one edition exists in all others.
  @Test func productExistsInEveryEdition() throws {
    let home = try TemporaryHome()
    let picture = try home.file("image.png", noisePNG(width: 24, height: 24))
    let fields = "description='네 판에서 보이는 상품' price=12000 discount=1000 currency=KRW stock=3 images=\(picture) yes"
    var arguments = ["--home", home.path, "-c", "new name='한 시장의 상품' \(fields)"]
    for edition in DetectedEditionsTests.editions {
      arguments += ["-c", "profile demo api=\(edition)", "-c", "show _ name price discount sale stock as json"]
    }
    let result = try openmarket(arguments)
    #expect(result.code == 0, "\(result.err)")
    let shown = result.out.split(separator: "\n").filter { $0.hasPrefix("{\"name\"") }
    #expect(shown.count == 4)
    #expect(Set(shown) == ["{\"name\":\"한 시장의 상품\",\"price\":12000,\"discount\":1000,\"sale\":11000,\"stock\":3}"])
  }

  /// The profile saves the edition: the next start uses it, logged in, with the same products.
  @Test(arguments: editions) func editionIsStoredInTheProfile(_ edition: String) throws {
    let home = try TemporaryHome()
    let chosen = try openmarket(["--home", home.path, "-c", "profile demo api=\(edition)"])
    #expect(chosen.code == 0, "\(chosen.err)")
    // Product 138 belongs to the demo's vendor.
    let next = try openmarket([
      "--home", home.path, "-c", "patch 138 stock=77 yes", "-c", "show 138 stock as csv", "-c", "profile as csv",
    ])
    #expect(next.code == 0, "\(next.err)")
    #expect(next.out.contains("stock\n77\n"))
    #expect(next.out.contains("demo,true,,,\(edition),"))
  }

  /// The edition is detected once, with at most two reads, reported, and saved with the profile.
  @Test(arguments: [("camp1", "camp2"), ("camp2", "camp2"), ("training", "training"), ("open", "open")])
  func editionIsDetectedOnceAndStored(_ served: String, _ found: String) throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--api", served, "--data", home.path + "/market", "--port", "0"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    let shop = ["--home", home.path + "/home", "-c"]
    #expect(try openmarket(shop + ["profile add shop url=\(url)"]).code == 0)
    let first = try openmarket(shop + ["profile shop; show 3 id as csv; show 4 id as csv"])
    #expect(first.out == "id\n3\nid\n4\n")
    #expect(first.err.components(separatedBy: "Detected edition \(found):").count == 2, "\(first.err)")
    let next = try openmarket(shop + ["profile shop; show 3 id as csv; profile as csv"])
    #expect(next.out.hasPrefix("id\n3\n") && next.out.contains(",\(url),\(found),"), "\(next.out)")
    #expect(!next.err.contains("Detected edition"), "\(next.err)")
    let recorded = try RecordingServer { _ in reply("404 Not Found") }
    let unknown = try openmarket(["--home", home.path + "/home", "--url", recorded.url, "-c", "ls"])
    #expect(unknown.code == 1 && recorded.requests.count == 2)
  }

  /// A server whose edition can't be detected is described by its response, with the next step.
  @Test(
    arguments: [
      (reply("200 OK", "<!DOCTYPE html><title>Login</title>", type: "text/html"), "Status 200 with a web page."),
      (reply("200 OK", "It works!", type: "text/plain"), "Status 200 with plain text."),
      (reply("200 OK", "{\"error\":true}"), "Status 200 with unexpected JSON."),
      (reply("500 Internal Server Error"), "Status 500, empty response."),
      (reply("404 Not Found", "{\"message\":\"no such page\"}"), "Status 404: no such page"),
      (
        "HTTP/1.1 302 Found\r\nLocation: https://me:pass@login.test/in?token=abc\r\nContent-Length: 0\r\n\r\n",
        "Status 302, redirect to https://***@login.test/in."
      ),
    ])
  func undetectedEditionIsExplained(_ response: String, _ reason: String) throws {
    let home = try TemporaryHome()
    let server = try RecordingServer { _ in response }
    let result = try openmarket(["--home", home.path, "--url", server.url, "-c", "ls"])
    #expect(result.code == 1)
    #expect(result.err.contains("Could not detect the server's API edition.\n"), "\(result.err)")
    #expect(result.err.contains("  reason: \(reason)\n"), "\(result.err)")
    #expect(result.err.contains("--api open") && !result.err.contains("token") && !result.err.contains("<"))
  }

  /// A recording without a page of the edition's detection says how to name the edition.
  @Test func replayWithoutAnEditionAsksForIt() throws {
    let home = try TemporaryHome()
    let file = try home.file(
      "health.har",
      #"""
      {"log": {"version": "1.2", "entries": [{
        "startedDateTime": "2022-12-01T00:00:00Z", "time": 1,
        "request": {"method": "GET", "url": "http://market.test/healthChecker", "headers": []},
        "response": {"status": 200, "headers": [], "content": {"text": "\"OK\"", "mimeType": "application/json"}}
      }]}}
      """#)
    let result = try openmarket(["--home", home.path, "--replay", file, "-c", "ls"])
    #expect(result.code == 3)
    #expect(result.err.contains("The recording does not show the server's API edition.\n"), "\(result.err)")
    #expect(result.err.contains("--api open"), "\(result.err)")
  }

  /// A word whose meaning depends on the edition requires its detection: `discounted_price` is the sale price on camp2.
  @Test func editionIsDetectedBeforeAnEditionDependentField() throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--api", "camp2", "--data", home.path + "/market", "--port", "0"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = String(try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output)
    let shop = ["--home", home.path + "/home", "--url", url, "-c"]
    let price = try openmarket(shop + ["show 138 price sale as csv"]).out
    #expect(price == "price,sale\n19000,19000\n")
    let shown = try openmarket(shop + ["show 138 discounted_price as csv"])
    #expect(shown.out == "sale\n19000\n", "\(shown.err)")
    let kept = try openmarket(shop + ["let x = 138.discounted_price; echo $x"])
    #expect(kept.out == "19000\n", "\(kept.err)")
    let listed = try openmarket(shop + ["ls where discounted_price>=19000 and id=138 columns id as csv"])
    #expect(listed.out == "id\n138\n", "\(listed.err)")
  }
}
