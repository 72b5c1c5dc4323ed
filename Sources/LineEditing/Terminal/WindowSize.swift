import CEditLine
import Glibc

struct WindowSize: Equatable {
  var columns: Int
  var rows: Int
}
