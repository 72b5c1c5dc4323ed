/// Goods for the home.
enum HomeGoods {
  static let list = [
    SampleProduct(
      motif: "mug", korean: "백자 머그컵", english: "Porcelain mug",
      koreanText: "손으로 빚어 하나하나 다릅니다. 식기세척기에 넣어도 됩니다.",
      englishText: "Thrown by hand, no two alike. Dishwasher safe.",
      won: 18000, cents: 1690),
    SampleProduct(
      motif: "mug", korean: "보온 텀블러", english: "Insulated tumbler",
      koreanText: "얼음이 저녁까지 남습니다. 뚜껑이 새지 않아요.",
      englishText: "Ice lasts till evening. The lid does not leak.",
      won: 29000, cents: 2490),
    SampleProduct(
      motif: "mug", korean: "찻잔 두 개", english: "Pair of tea cups",
      koreanText: "차가 식지 않게 두텁게 만들었습니다. 상자에 담아 보냅니다.",
      englishText: "Thick walls keep the tea warm. Sent in a box.",
      won: 34000, cents: 2990),
    SampleProduct(
      motif: "chair", korean: "원목 의자", english: "Oak chair",
      koreanText: "참나무로 짠 식탁 의자. 못을 쓰지 않았습니다.",
      englishText: "Solid oak, joined without a single screw.",
      won: 159000, cents: 13900),
    SampleProduct(
      motif: "chair", korean: "사무용 의자", english: "Office chair",
      koreanText: "허리를 받쳐 주는 메쉬 의자. 직접 조립하셔야 해요.",
      englishText: "Mesh back with real lumbar support. Some assembly.",
      won: 219000, cents: 18900),
    SampleProduct(
      motif: "chair", korean: "캠핑 의자", english: "Camp chair",
      koreanText: "접으면 팔뚝만 합니다. 백 킬로그램까지 앉습니다.",
      englishText: "Folds to the size of a forearm, holds 100 kg.",
      won: 45000, cents: 3990),
    SampleProduct(
      motif: "lamp", korean: "책상 스탠드", english: "Desk lamp",
      koreanText: "밝기 다섯 단계, 눈부심이 없습니다.",
      englishText: "Five levels of light, no glare.",
      won: 49000, cents: 3890),
    SampleProduct(
      motif: "lamp", korean: "한지 조명", english: "Paper lamp",
      koreanText: "한지로 감싼 은은한 불빛. 전구 포함입니다.",
      englishText: "A soft light through mulberry paper. Bulb included.",
      won: 78000, cents: 6490),
    SampleProduct(
      motif: "plant", korean: "몬스테라 화분", english: "Monstera in a pot",
      koreanText: "잎이 세 장 새로 났습니다. 물은 한 주에 한 번.",
      englishText: "Three new leaves this spring. Water once a week.",
      won: 32000, cents: 2690),
    SampleProduct(
      motif: "plant", korean: "다육이 세트", english: "Set of succulents",
      koreanText: "작은 다육이 다섯 개. 햇볕만 있으면 됩니다.",
      englishText: "Five small ones that ask for nothing but sun.",
      won: 21000, cents: 1790),
    SampleProduct(
      motif: "plant", korean: "올리브 나무", english: "Olive tree",
      koreanText: "키 일 미터 남짓. 베란다에서 잘 자랐습니다.",
      englishText: "A bit over a metre, raised on a balcony.",
      won: 68000, cents: 5490),
    SampleProduct(
      motif: "book", korean: "단편 소설집", english: "Short stories",
      koreanText: "밑줄 없이 깨끗하게 읽은 책입니다.",
      englishText: "Read once, no marks.",
      won: 12000, cents: 990),
    SampleProduct(
      motif: "book", korean: "요리책", english: "Cookbook",
      koreanText: "사계절 반찬 백 가지. 사진이 좋습니다.",
      englishText: "A hundred side dishes through four seasons. Good photographs.",
      won: 19000, cents: 1690),
    SampleProduct(
      motif: "book", korean: "스위프트 입문서", english: "Swift for beginners",
      koreanText: "처음 배우는 분께. 예제 코드는 모두 돌아갑니다.",
      englishText: "For the first steps. Every example runs.",
      won: 27000, cents: 2390),
    SampleProduct(
      motif: "kettle", korean: "주물 주전자", english: "Cast iron kettle",
      koreanText: "물맛이 둥글어지는 무쇠 주전자.",
      englishText: "Cast iron, and the water tastes rounder for it.",
      won: 87000, cents: 6990),
    SampleProduct(
      motif: "kettle", korean: "전기 주전자", english: "Electric kettle",
      koreanText: "온도를 1도씩 맞춥니다. 드립 커피에 좋아요.",
      englishText: "Sets the temperature to the degree. Made for pour-over.",
      won: 64000, cents: 5290),
  ]
}
