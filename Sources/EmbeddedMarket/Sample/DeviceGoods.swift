/// Electronic devices and cameras.
enum DeviceGoods {
  static let list = [
    SampleProduct(
      motif: "laptop", korean: "13인치 노트북", english: "13-inch laptop",
      koreanText: "가볍고 조용한 노트북입니다. 하루 종일 쓰는 배터리, 선명한 화면. 충전기와 파우치를 함께 드립니다.",
      englishText: "Light, silent, a full day on one charge. Comes with charger and sleeve.",
      won: 1290000, cents: 99900),
    SampleProduct(
      motif: "laptop", korean: "게이밍 노트북", english: "Gaming laptop",
      koreanText: "고주사율 화면과 넉넉한 그래픽 메모리. 여섯 달 쓴 깨끗한 제품입니다.",
      englishText: "High refresh screen and plenty of graphics memory. Used six months, no scratches.",
      won: 1850000, cents: 149900),
    SampleProduct(
      motif: "laptop", korean: "노트북 거치대", english: "Laptop stand",
      koreanText: "알루미늄 한 덩어리로 깎은 거치대. 목이 편해지는 높이입니다.",
      englishText: "Cut from one piece of aluminium. Puts the screen where your neck wants it.",
      won: 39000, cents: 3490),
    SampleProduct(
      motif: "phone", korean: "스마트폰", english: "Smartphone",
      koreanText: "자급제 새 제품, 미개봉입니다. 유심만 꽂으면 바로 씁니다.",
      englishText: "Unlocked and sealed. Put in a SIM and go.",
      won: 890000, cents: 69900),
    SampleProduct(
      motif: "phone", korean: "접는 스마트폰", english: "Folding phone",
      koreanText: "펼치면 작은 태블릿이 됩니다. 힌지 상태 아주 좋아요.",
      englishText: "Opens into a small tablet. The hinge is as good as new.",
      won: 1490000, cents: 119900),
    SampleProduct(
      motif: "phone", korean: "스마트폰 케이스", english: "Phone case",
      koreanText: "손에 착 감기는 무광 케이스. 무선 충전 됩니다.",
      englishText: "Matte and grippy, charges wirelessly.",
      won: 15000, cents: 1290),
    SampleProduct(
      motif: "headphones", korean: "무선 헤드폰", english: "Wireless headphones",
      koreanText: "주변 소음을 지우는 헤드폰. 한 번 충전으로 서른 시간 갑니다.",
      englishText: "Takes the street away. Thirty hours on one charge.",
      won: 249000, cents: 19900),
    SampleProduct(
      motif: "headphones", korean: "스튜디오 모니터 헤드폰", english: "Studio headphones",
      koreanText: "평평한 소리, 갈아 끼우는 케이블. 녹음용으로 썼습니다.",
      englishText: "Flat sound, replaceable cable. Served one album well.",
      won: 189000, cents: 15900),
    SampleProduct(
      motif: "camera", korean: "필름 카메라", english: "Film camera",
      koreanText: "셔터 소리가 좋은 수동 카메라. 노출계까지 잘 됩니다.",
      englishText: "Fully manual with a shutter you can hear. The meter works.",
      won: 320000, cents: 24900),
    SampleProduct(
      motif: "camera", korean: "미러리스 카메라", english: "Mirrorless camera",
      koreanText: "여행에 들고 다니기 좋은 크기. 컷 수 삼천 이하입니다.",
      englishText: "Small enough for every trip. Under three thousand frames.",
      won: 980000, cents: 79900),
    SampleProduct(
      motif: "camera", korean: "즉석 카메라", english: "Instant camera",
      koreanText: "찍자마자 나오는 사진. 필름 한 통을 넣어 드립니다.",
      englishText: "The picture is there before the laugh is over. One pack of film included.",
      won: 89000, cents: 7990),
    SampleProduct(
      motif: "watch", korean: "가죽 손목시계", english: "Leather watch",
      koreanText: "얇고 가벼운 쿼츠 시계. 줄은 소가죽입니다.",
      englishText: "Thin quartz on a cowhide strap.",
      won: 129000, cents: 9900),
    SampleProduct(
      motif: "watch", korean: "스마트워치", english: "Smartwatch",
      koreanText: "심박과 수면을 재고 이틀을 갑니다. 줄 두 개 포함.",
      englishText: "Heart rate, sleep, two days of battery. Two straps.",
      won: 210000, cents: 17900),
    SampleProduct(
      motif: "keyboard", korean: "기계식 키보드", english: "Mechanical keyboard",
      koreanText: "조용한 갈색 축. 한영 각인이 또렷합니다.",
      englishText: "Quiet brown switches, crisp legends.",
      won: 118000, cents: 8900),
    SampleProduct(
      motif: "keyboard", korean: "접이식 키보드", english: "Folding keyboard",
      koreanText: "주머니에 들어가는 블루투스 키보드.",
      englishText: "Bluetooth, and it fits a coat pocket.",
      won: 52000, cents: 4490),
  ]
}
