/**
 * The words of the most frequent passwords, in the order of public lists of leaked ones, with local additions. A list
 * of whole passwords of 15 characters and more would miss most, because they are combinations of these.
 */
export const COMMON_WORDS: string[] =
  `password passwort passwd heslo haslo contrasena motdepasse parola senha wachtwoord losenord secret geheim tajne
  admin administrator root user guest test testing demo default system login welcome willkommen vitejte bienvenue
  letmein changeme changeit iloveyou loveyou ihateyou trustno master superman batman spiderman starwars pokemon naruto
  princess prinzessin sunshine shadow dragon monkey football baseball basketball soccer hockey tennis golfer liverpool
  arsenal chelsea barcelona manchester realmadrid juventus flower butterfly angel angels heaven freedom forever always
  whatever nothing something computer internet samsung google facebook microsoft windows android iphone apple linkedin
  michael jordan jessica jennifer ashley daniel charlie thomas andrew robert matthew joshua anthony william nicole
  amanda michelle hannah sophie lucie tereza martin tomas petr jakub pavel david maria anna peter hans klaus
  mustang ferrari porsche mercedes corvette harley yamaha cheese chocolate cookie pepper ginger summer winter spring
  autumn sommer herbst january february march april june july august september october november december monday
  tuesday wednesday thursday friday saturday sunday hello hallo ahoj goodbye please thankyou loveme lovely love
  sexy hunter killer ranger soldier ninja pirate wizard matrix phoenix tigger tiger panther falcon eagle wolf bear
  blink metallica nirvana slipknot eminem beatles rockstar music guitar access company firma office server database
  network router switch display screen kiosk signage wayside outdoor device devices operator manager support service
  london paris berlin prague praha wien vienna newyork america canada germany france poland qazwsx zaqwsx
  abcdef asdf asdfgh zxcvbn qwert qwerty qwertz azerty mynameis mypassword thisismy isthe myname password
  correcthorse thequickbrownfox tobeornottobe lorem ipsum supersecret topsecret nopassword mypass yourpassword`
    .split(/\s+/)
    .filter((word) => word !== '')
const WORDS = new Set(COMMON_WORDS)
const LONGEST_WORD = Math.max(...[...WORDS].map(({ length }) => length))

/** Rows of keys that a finger runs along, forwards or backwards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, [...row].reverse().join('')])
const SHORTEST_RUN = 3

/** A phrase of more different pieces counts as somebody's own. */
const MOST_PIECES = 3
/** Characters between and after the pieces, e.g. "1!". */
const MOST_REST = 4

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

/** The digit on the same key, typed with Shift. */
const UNSHIFTED: Readonly<Record<string, string>> = {
  '!': '1',
  '@': '2',
  '#': '3',
  $: '4',
  '%': '5',
  '^': '6',
  '&': '7',
  '*': '8',
  '(': '9',
  ')': '0',
}

/** Whether a long password consists only of a few common words and rows of keys, once or repeatedly. */
export function isCommonPassword(password: string): boolean {
  const letters = password.toLowerCase()
  // "p@ssw0rd" is "password", but the digits of "1234" are digits.
  const disguised = [...letters].map((letter) => LOOKS_LIKE[letter] ?? letter).join('')
  const unshifted = [...letters].map((letter) => UNSHIFTED[letter] ?? letter).join('')
  return [letters, disguised, unshifted].some(
    (text) => isRepetition(text) || isMadeOfPieces(text.replace(/[\s\-_.,]+/g, '')),
  )
}

/** "abcabcabc" and "x1x1x1" are as weak as the repeated unit alone. */
function isRepetition(text: string): boolean {
  const longestUnit = Math.min(9, Math.floor(text.length / 2))
  for (let length = 1; length <= longestUnit; length += 1) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true
  }
  return false
}

function isMadeOfPieces(text: string): boolean {
  const pieces = new Set<string>()
  let rest = 0
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at)
    if (piece === undefined) {
      rest += 1
      at += 1
    } else {
      pieces.add(piece)
      at += piece.length
    }
  }
  return rest <= MOST_REST && pieces.size <= MOST_PIECES
}

function pieceAt(text: string, at: number): string | undefined {
  const word = wordAt(text, at)
  const run = text.slice(at, at + Math.max(runAt(text, at), sameAt(text, at)))
  const best = run.length > (word?.length ?? 0) ? run : word
  return best === undefined || best.length < SHORTEST_RUN ? undefined : best
}

function wordAt(text: string, at: number): string | undefined {
  for (let length = Math.min(LONGEST_WORD, text.length - at); length >= SHORTEST_RUN; length -= 1) {
    const word = text.slice(at, at + length)
    if (WORDS.has(word) || isYear(word)) return word
  }
  return undefined
}

const isYear = (text: string) => /^(19|20)\d\d$/.test(text)

function runAt(text: string, at: number): number {
  let longest = 0
  for (const row of ROWS) {
    let length = SHORTEST_RUN
    while (at + length <= text.length && row.includes(text.slice(at, at + length))) {
      longest = Math.max(longest, length)
      length += 1
    }
  }
  return longest
}

function sameAt(text: string, at: number): number {
  let length = 1
  while (text[at + length] === text[at]) length += 1
  return length
}
