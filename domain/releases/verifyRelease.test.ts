import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerLine, type ReleaseHeader, signedBackText, signedText } from './header.ts'
import { findDamage, isTargetForGoingBack, sha256Of, verifyRelease } from './verifyRelease.ts'
import { compareVersions, isVersion } from './version.ts'

const text = (words: string) => new TextEncoder().encode(words)
const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const PROGRAM = text(`import { open } from 'node:fs'\nconsole.log("\u00e4 client", open)\n`)

interface Keys {
  readonly privateKey: Awaited<ReturnType<typeof crypto.subtle.importKey>>
  readonly publicKey: string
}

const PKCS8_PREFIX = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** Returns the key whose 32 secret bytes are all the same, which is only good for tests. */
async function keysOf(byte: number, publicKey: string): Promise<Keys> {
  const secret = new Uint8Array([...PKCS8_PREFIX, ...new Array<number>(32).fill(byte)])
  return { privateKey: await crypto.subtle.importKey('pkcs8', secret, 'Ed25519', false, ['sign']), publicKey }
}

const ours = await keysOf(1, 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=')
const theirs = await keysOf(2, 'gTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5Q=')

async function headerOf(version: string, program: Uint8Array, { privateKey }: Keys): Promise<ReleaseHeader> {
  const described = { version, bytes: program.length, sha256: await sha256Of(program) }
  const signature = base64(await crypto.subtle.sign('Ed25519', privateKey, text(signedText(described))))
  return { ...described, signature }
}

const fileOf = (header: ReleaseHeader, program = PROGRAM) =>
  text(headerLine(header) + new TextDecoder().decode(program))
const good = await headerOf('1.2.3', PROGRAM, ours)

async function refusalOf(file: Uint8Array, keys = [ours.publicKey]): Promise<string | undefined> {
  const verdict = await verifyRelease(file, keys)
  return 'refusal' in verdict ? verdict.refusal.kind : undefined
}

test('a whole release that a known key has signed is taken, whichever of the keys it is', async () => {
  expect(await verifyRelease(fileOf(good), [ours.publicKey])).toEqual({ release: good })
  expect(await verifyRelease(fileOf(good), [theirs.publicKey, ours.publicKey])).toEqual({ release: good })
})

test('whoever changes a byte anywhere in the file, or adds or cuts one, is refused', async () => {
  const file = fileOf(good)
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flips) => {
      const changed = Uint8Array.from(file)
      changed[at] = (changed[at] ?? 0) ^ flips
      return (await refusalOf(changed)) !== undefined
    }),
    { numRuns: 1500 },
  )
  for (let length = 0; length < file.length; length++) expect(await refusalOf(file.subarray(0, length))).toBeDefined()
  expect(await refusalOf(text(`${new TextDecoder().decode(file)} `))).toBe('damaged')
})

test('each refusal has its own reason, in a sentence', async () => {
  const other = Uint8Array.from(PROGRAM, (byte, at) => (at === 0 ? byte ^ 1 : byte))
  expect(await refusalOf(PROGRAM)).toBe('notARelease')
  expect(await refusalOf(text(''))).toBe('notARelease')
  expect(await refusalOf(text(`// wayside-client {"version":"1.2.3"}\n`))).toBe('notARelease')
  expect(await refusalOf(text(`// wayside-client not JSON\n`))).toBe('notARelease')
  expect(await refusalOf(fileOf(good, other))).toBe('damaged')
  expect(await refusalOf(fileOf({ ...good, signature: '' }))).toBe('unsigned')
  expect(await refusalOf(fileOf({ ...good, bytes: 40_000_000 }))).toBe('tooLarge')
  expect(await refusalOf(fileOf(good), [])).toBe('noKey')
  expect(await refusalOf(fileOf(good), [theirs.publicKey])).toBe('wrongKey')
  expect(await refusalOf(fileOf(good), ['not a key', btoa('short'), `${'A'.repeat(43)}=`])).toBe('wrongKey')
  expect(await refusalOf(fileOf({ ...good, version: '9.9.9' }))).toBe('wrongKey')
  const sentenceOf = async (file: Uint8Array) => {
    const verdict = await findDamage(file)
    return 'refusal' in verdict ? verdict.refusal.sentence : undefined
  }
  expect(await sentenceOf(fileOf(good))).toBeUndefined()
  expect(await sentenceOf(fileOf(good, other))).toBe(
    'This release is damaged: its SHA-256 is not the one that its first line says.',
  )
  expect(await sentenceOf(fileOf(good).subarray(0, -2))).toBe(
    `This release is damaged: it has ${PROGRAM.length - 2} bytes, but its first line says ${PROGRAM.length}.`,
  )
})

test('the first line has one form only: a space, another order or a word more makes it no release', async () => {
  const line = headerLine(good)
  const program = new TextDecoder().decode(PROGRAM)
  const { version, bytes, sha256, signature } = good
  const variants = [
    line.replace('{', '{ '),
    line.replace('\n', '\r\n'),
    `// wayside-client ${JSON.stringify({ bytes, version, sha256, signature })}\n`,
    `// wayside-client ${JSON.stringify({ ...good, more: 1 })}\n`,
    line.replace('"version"', '"v\\u0065rsion"'),
    line.replace('1.2.3', '01.2.3'),
  ]
  for (const variant of variants) expect(await refusalOf(text(variant + program)), variant).toBe('notARelease')
})

test('a signature for one version cannot be put on another with the same program', async () => {
  const newer = await headerOf('1.2.4', PROGRAM, ours)
  expect(await refusalOf(fileOf(newer))).toBeUndefined()
  expect(await refusalOf(fileOf({ ...newer, signature: good.signature }))).toBe('wrongKey')
})

test("a target for going back is signed for that too: the plain signature is none, nor is somebody else's", async () => {
  const backBy = async ({ privateKey }: Keys, release = good) =>
    base64(await crypto.subtle.sign('Ed25519', privateKey, text(signedBackText(release))))
  const back = await backBy(ours)
  expect(await verifyRelease(fileOf({ ...good, back }), [ours.publicKey])).toEqual({ release: { ...good, back } })
  for (const wrong of [good.signature, await backBy(theirs), await backBy(ours, { ...good, version: '1.2.4' }), '']) {
    expect(await refusalOf(fileOf({ ...good, back: wrong }))).toBe('wrongKey')
    expect(await isTargetForGoingBack(good, wrong, [ours.publicKey])).toBe(false)
  }
  expect(await isTargetForGoingBack(good, back, [theirs.publicKey, ours.publicKey])).toBe(true)
})

test('versions compare as numbers, and nothing else is a version', () => {
  const sorted = ['0.9.12', '0.10.0', '1.0.0', '1.0.2', '1.0.10', '1.2.0', '10.0.0']
  for (const [index, version] of sorted.entries()) {
    for (const [otherIndex, other] of sorted.entries()) {
      expect(Math.sign(compareVersions(version, other))).toBe(Math.sign(index - otherIndex))
    }
  }
  const wrong = [
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '1.2.3-rc1',
    ' 1.2.3',
    '1.2.3\n',
    '01.2.3',
    '1.2.-3',
    '1.2.9999999',
  ]
  expect(wrong.filter(isVersion)).toEqual([])
  expect(() => compareVersions('1.2.3', 'newest')).toThrow('"newest" is no version.')
})
