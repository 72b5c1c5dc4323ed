import Catalog
import Text

extension HelpTopic {
  static let editionsPage = HelpPage(
    title: Wording("the four editions of the API", ko: "API의 네 가지 판"),
    sections: [
      HelpPage.Section(
        Wording("Editions", ko: "판"),
        [
          .init("open", "from October 2022: search, vendors, camelCase", ko: "2022년 10월부터: 검색, 판매자, camelCase"),
          .init("training", "2022: vendors, snake_case", ko: "2022년: 판매자, snake_case"),
          .init("camp2", "2021, second server: /items, a password a product", ko: "2021년 둘째 서버: /items, 상품마다 비밀번호"),
          .init("camp1", "2021, first server", ko: "2021년 첫 서버"),
        ]),
      HelpPage.Section(
        Wording("Where they differ", ko: "다른 점"),
        [
          .init("search", "open; on the others it is done here and said", ko: "open만; 다른 판은 여기서 고르고 알림"),
          .init(
            "size", "open and training; the others have pages of their own size", ko: "open과 training; 다른 판은 크기가 정해져 있음"
          ),
          .init("vendor", "open and training; camp1 and camp2 know none", ko: "open과 training; camp1과 camp2에는 없음"),
          .init(
            "discounted_price", "the sale price on camp1 and camp2, else the amount off",
            ko: "camp1, camp2는 판매가, 다른 판은 할인 금액"),
          .init("images", "can be replaced on camp1 and camp2 only", ko: "사진 바꾸기는 camp1과 camp2만"),
          .init("health", "open and training", ko: "open과 training"),
        ]),
      HelpPage.Section(
        Wording("Examples", ko: "예"),
        [
          .init("profile add shop url=https://shop.example api=open", "an edition by name", ko: "판을 이름으로"),
          .init("openmarket --url https://shop.example", "without --api the answer tells", ko: "--api가 없으면 답을 보고 알아냄"),
        ]),
    ])
}
