/// Returns an incompressible picture: noise, 3 bytes per pixel, stored uncompressed; 1300 x 1300 is about 5 MB.
func noisePNG(width: Int, height: Int) -> [UInt8] {
  var state: UInt32 = 2_463_534_242
  var raw: [UInt8] = []
  raw.reserveCapacity(height * (width * 3 + 1))
  for _ in 0..<height {
    raw.append(0)
    for _ in 0..<width * 3 {
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      raw.append(UInt8(truncatingIfNeeded: state))
    }
  }
  let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(raw))
    + chunk("IEND", [])
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// Returns a zlib stream of stored blocks (RFC 1950, RFC 1951).
private func stored(_ raw: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = [0x78, 0x01]
  for start in stride(from: 0, to: raw.count, by: 65_535) {
    let part = raw[start..<min(start + 65_535, raw.count)]
    let length = UInt16(part.count)
    bytes.append(part.endIndex == raw.count ? 1 : 0)
    bytes += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
    bytes += part
  }
  var (low, high): (UInt32, UInt32) = (1, 0)
  for byte in raw {
    low = (low + UInt32(byte)) % 65_521
    high = (high + low) % 65_521
  }
  return bytes + bigEndian(high << 16 | low)
}

private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
  let named = Array(name.utf8) + body
  var sum: UInt32 = 0xFFFF_FFFF
  for byte in named {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }
  return bigEndian(UInt32(body.count)) + named + bigEndian(~sum)
}
