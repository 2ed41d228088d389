import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PAGE = new URL('../docs/security/asvs.md', import.meta.url)
const page = readFileSync(PAGE, 'utf8')
const rows = [...page.matchAll(/^\| (V\d+\.\d+\.\d+) \| ([12]) \| [^|]+ \| (yes|partly|no) \| (.+) \|$/gm)]

/** Lists the texts of this page's links, with the files that they lead to. */
const cited = [...page.matchAll(/\[([^\]]+)\]\((\.\.?\/[^)#]+)(?:#[^)]*)?\)/g)].map(([, words = '', path = '']) => ({
  words,
  path: fileURLToPath(new URL(path, PAGE)),
}))
const isTest = ({ path }: { readonly path: string }) => /\.test\.tsx?$/.test(path)

test('each test that the page of ASVS names is there, by its words', () => {
  expect(cited.filter(({ path }) => !existsSync(path)).map(({ path }) => path)).toEqual([])
  const named = cited.filter((one) => isTest(one) && one.words !== 'a test')
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ words, path }) => !readFileSync(path, 'utf8').includes(words))).toEqual([])
})

test('each requirement stands once, with its level, and the numbers above are those of the tables', () => {
  const ids = rows.map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const wanted of ['1', '2']) {
    const count = (held?: string) =>
      rows.filter(([, , level, is]) => level === wanted && (held === undefined || is === held)).length
    expect(page).toContain(`| ${wanted} | ${count('yes')} | ${count('partly')} | ${count('no')} | ${count()} |\n`)
  }
})

test('each requirement that is held names a test', () => {
  const held = rows.filter(([, , , is]) => is === 'yes')
  expect(held.length).toBeGreaterThan(150)
  expect(held.filter(([, , , , by = '']) => !/\]\([^)]+\.test\.tsx?\)/.test(by)).map(([, id]) => id)).toEqual([])
})

/** The guide's own links name a heading in this way. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

test('each page that is named here is there, with the heading that is meant', () => {
  const links = [...page.matchAll(/\]\(([^)#:]*\.md)?(?:#([^)]+))?\)/g)].filter(([, path, anchor]) => path ?? anchor)
  expect(links.length).toBeGreaterThan(40)
  const missing = links.filter(([, path, anchor]) => {
    const file = path === undefined ? PAGE : new URL(path, PAGE)
    if (!existsSync(file)) return true
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    )
    return anchor !== undefined && !headings.includes(anchor)
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync(
  ['server/**/*.ts', 'console/**/*.{ts,tsx}', 'domain/**/*.ts', 'contract/**/*.ts', 'device/**/*.ts'],
  {
    cwd: ROOT,
  },
).filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
const SOURCE = sources.map((file) => ({ file, text: readFileSync(new URL(`../${file}`, import.meta.url), 'utf8') }))

test.each([
  ['a shell', /\bexec(Sync)?\b[^}]*\} from 'node:child_process'|shell: true/],
  ['another origin that may read', /access-control-allow-origin/i],
  ['messages of other windows', /addEventListener\('message'/],
  ['MD5 or SHA-1 of ours', /createHash\('(md5|sha1)'\)|\bmd5\(/],
  ['a cipher that does not notice changes', /aes-\d+-(ecb|cbc|ctr)|createCipher\(/i],
  ['a template of somebody', /dangerouslySetInnerHTML|\.innerHTML =/],
  ['a trace', /method: \[?'TRACE'/],
  ['chance that can be guessed in what opens something', /(token|secret|key|nonce|salt)\w* = [^\n]*Math\.random/i],
  ['a question to get a password back', /security ?question|password ?hint/i],
  ['a field that hinders pasting', /onPaste=/],
  ['a password in a field that shows it', /<TextInput[^>]*field\('(password|newPass|oldPass)/],
  ['an end of passwords by time', /password_?(expires|lasts|valid_?until)/i],
  ['an outdated technique of browsers', /<(embed|applet)\b|<object data|navigator\.plugins|document\.write\(/],
] as const)('no source holds %s', (_, forbidden) => {
  expect(SOURCE.length).toBeGreaterThan(1000)
  expect(SOURCE.filter(({ text }) => forbidden.test(text)).map(({ file }) => file)).toEqual([])
})
