import Foundation

/// nginx serving recorded pages: the fastest possible market.
final class PageServer {
  let url: String
  private let process = Process()

  /// Starts nginx.
  ///
  /// `folder` contains `pages` and receives nginx's own files.
  ///
  /// - Throws: `BenchmarkError` if nginx doesn't serve the pages, also if another server has the port.
  init(folder: String, port: Int) throws {
    url = "http://127.0.0.1:\(port)"
    let configuration = """
      daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log \(folder)/error.log crit;
      events { worker_connections 256; }
      http {
        access_log off; sendfile on; keepalive_requests 1000000;
        client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2; fastcgi_temp_path \(folder)/t3;
        uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
        server {
          listen 127.0.0.1:\(port);
          location = /api/products {
            default_type application/json;
            root \(folder);
            try_files /pages/$arg_page_no.json =404;
          }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
    try process.run()
    for _ in 0..<100 {
      guard process.isRunning else { break }
      if hasPort(folder), (try? TimedRun(["curl", "-sf", "-o", "/dev/null", url + "/api/products?page_no=1"])) != nil {
        return
      }
      usleep(50_000)
    }
    stop()
    throw BenchmarkError.failed("nginx")
  }

  /// Returns whether nginx has opened its port, after which it writes its process id.
  ///
  /// It runs for seconds without the port if another server has it, and that server would answer.
  private func hasPort(_ folder: String) -> Bool {
    let id = try? String(contentsOfFile: folder + "/nginx.pid", encoding: .utf8)
    return id?.trimmingCharacters(in: .whitespacesAndNewlines) == String(process.processIdentifier)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
