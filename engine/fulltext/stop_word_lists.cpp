// The languages of the lists are those of known_languages(). Words that two languages share are in
// both lists.
#include "engine/fulltext/stop_word_lists.hpp"

namespace cairn::engine {
namespace {

constexpr std::string_view english_stop_words =
    "a about am an and any are aren't as at be been being but by can can't could couldn't did "
    "didn't do does doesn't doing don't for from had hadn't has hasn't have haven't having he "
    "her here hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it's "
    "its itself just me might must my myself no nor not of off on or other our ours ourselves "
    "over own shall she should so some such than that that's the their theirs them themselves "
    "then there these they this those through to too under until up upon very was wasn't we "
    "were weren't what what's when where which while who whom whose why will with would you "
    "your yours yourself yourselves";

constexpr std::string_view german_stop_words =
    "aber als am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der "
    "des dessen dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine "
    "einem einen einer eines er es euch euer für hat hatte hatten ich ihm ihn ihnen ihr ihre im "
    "in ins ist ja kann kein keine können man mein mich mir mit nach nicht noch nun nur ob oder "
    "ohne sehr sein seine sich sie sind so um und uns unser unter vom von vor war waren warum "
    "was weil welche welcher wem wen wenn wer werden wie wieder wird wo zu zum zur über";

constexpr std::string_view french_stop_words =
    "a au aux avait avec avez avons c'est ce ces cet cette comme dans de des du elle elles en "
    "est et eu il ils j'ai je l la le les leur leurs lui ma mais me mes moi mon ne nos notre "
    "nous on ont ou où par pas pour qu que quel quelle qui quoi sa sans se ses si son sont sur "
    "ta te tes toi ton tu un une vos votre vous y était être";

constexpr std::string_view spanish_stop_words =
    "a al algo alguna algunas alguno algunos algún ante antes aquel aquella aquello así aún "
    "cada como con contra cual cuando cuál cuándo cómo de del desde donde dos durante dónde e "
    "el ella ellas ellos en entre era eran eres es esa esas ese eso esos esta estas este esto "
    "estos estoy está están fue fueron fui ha había habían han has hasta hay he la las le les "
    "lo los me mi mis mucho muchos muy más mí nada ni no nos nosotros nuestra nuestro o os otra "
    "otro otros para pero poco por porque que quien quienes quién qué se sea ser si sido sin "
    "sobre son soy su sus sé sí también tan tanto te tengo ti tiene tienen todo todos tu tus tú "
    "un una uno unos usted ustedes y ya yo él";

constexpr std::string_view italian_stop_words =
    "a ad agli ai al alla alle allo anche anni avere aveva avevano c'è che chi ci ciò coi col "
    "come con contro cui da dagli dai dal dalla dalle dallo degli dei del dell della delle "
    "dello dentro di dopo dove e ed egli era erano essere fra fu già gli ha hai hanno ho i il "
    "in io l la le lei li lo loro lui ma me mi mia mio molto ne negli nei nel nella nelle nello "
    "noi non nostra nostro o ogni per perché però più poi quale quali quando quanto quella "
    "quelle quelli quello questa queste questi questo qui sarà se sei senza si sia siamo sono "
    "sopra sta stata stato su sua sue sugli sui sul sulla sulle suo suoi te tra tu tua tuo "
    "tutti tutto un una uno vi voi è";

constexpr std::string_view dutch_stop_words =
    "aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus "
    "een eens en er ge geen geweest haar had hadden heb hebben heeft hem het hier hij hoe hun "
    "iemand iets ik in is ja je jij jullie kan kon kunnen maar me meer men met mij mijn moet na "
    "naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u "
    "uit uw van veel voor waar wanneer waren was wat we welke werd wezen wie wij wil worden "
    "wordt ze zei zich zij zijn zo zonder zou zullen";

constexpr std::string_view swedish_stop_words =
    "alla allt att av blev bli blir blivit båda de dem den denna deras dess dessa det detta dig "
    "din dina ditt du där då efter ej eller en er era ert ett från för före genom ha hade han "
    "hans har hon honom hos hur här i icke ifrån ingen inom inte jag ju kan kunde man med "
    "mellan men mig min mina mitt mot mycket ni nu nya när någon något några och också om oss "
    "på samma sedan sig sin sina sitt själv ska skall skulle som så till under upp ut utan vad "
    "var vara varför varit vart vem vi vid vilka vilken vilket vår våra vårt än är åt över";

constexpr std::string_view finnish_stop_words =
    "ei eivät eli emme en ennen enää et ette että he heidän heitä hän häneen hänelle häneltä "
    "hänen hänet ihan itse ja jo joka joku jonka jos jossa josta jota jotka jotta kaikki "
    "kaikkien kanssa kenen ketkä koska kuin kuinka kuka kun kyllä me meidän meillä meitä miksi "
    "mikä milloin millä minulla minulle minun minut minä missä mistä mitä mukaan mutta myös ne "
    "niiden niin niitä noin nuo nyt näiden nämä olemme olen olet olette oleva olevan oli olisi "
    "olivat olla olleet ollut on ovat poikki se sekä sen siellä siinä siitä sillä sinun sinut "
    "sinä sitten sitä tai te teidän tuo tuon tuota tähän tämä tämän tässä tästä tätä vaan vai "
    "vaikka vain vielä voi yli";

constexpr std::string_view russian_stop_words =
    "а без более больше бы был была были было быть в вам вас вдруг ведь во вот впрочем все "
    "всегда всего всех всю вы г где да даже для до другой его ее ей ему если есть еще ещё ж же "
    "за зачем здесь и из или им их к как какая какой когда конечно кто куда ли лучше между меня "
    "мне много может можно мой моя мы на над надо наконец нас не него нее ней нельзя нет ни "
    "нибудь никогда ним них ничего но ну о об один он она они оно опять от перед по под после "
    "потом потому почему почти при про раз разве с сам свою себе себя сейчас со совсем так "
    "такой там тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже хоть чего "
    "чем через что чтоб чтобы чуть эти этого этой этом этот эту я";

}  // namespace

const std::array<StopWordList, 9>& stop_word_lists() {
  static constexpr std::array<StopWordList, 9> lists = {{
      {"english", english_stop_words},
      {"german", german_stop_words},
      {"french", french_stop_words},
      {"spanish", spanish_stop_words},
      {"italian", italian_stop_words},
      {"dutch", dutch_stop_words},
      {"swedish", swedish_stop_words},
      {"finnish", finnish_stop_words},
      {"russian", russian_stop_words},
  }};
  return lists;
}

}  // namespace cairn::engine
