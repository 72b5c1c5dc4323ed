import Catalog
import Testing

/// The paths of picture addresses, which don't depend on the server.
@Suite struct PictureTests {
  @Test(arguments: [
    ("", ""), ("14-1.png", "14-1.png"), ("http://a.example/1.png", "/1.png"),
    ("https://a.example:8443/s/1.png", "/s/1.png"),
    ("http://a.example/1.png https://b.example/2.png", "/1.png /2.png"),
    ("7\thttp://a/1\thttp://a/2\n8\thttp://a/3\t", "7\t/1\t/2\n8\t/3\t"),
    ("http://a.example", ""), ("http://", "http://"), ("http:///1.png", "http:///1.png"),
    ("https:/a/1.png", "https:/a/1.png"),
    ("hhttp://a/1", "h/1"), ("http://http://a/1", "//a/1"), ("HTTP://a/1", "HTTP://a/1"),
    ("/p?from=http://a/1", "/p?from=/1"), ("http://마켓.example/컵 1.png", "/컵 1.png"), ("h", "h"),
    ("/그림/https", "/그림/https"),
  ])
  func removingOriginsKeepsPaths(_ text: String, _ paths: String) {
    #expect(PictureAddresses.removingOrigins(in: text) == paths)
  }
}
