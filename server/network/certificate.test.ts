import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { makeAuthority, makeCertificate } from '#testing/certificates.ts'
import { type Certificate, openCertificate } from './certificate.ts'

const authority = makeAuthority()
const [first, second] = [makeCertificate(authority), makeCertificate(authority)]
const opened: Certificate[] = []
afterEach(() => {
  for (const certificate of opened.splice(0)) certificate.stop()
})

interface Pair {
  readonly cert: string
  readonly key: string
}

async function watched(folder: string, { cert, key }: Pair = first, now = () => new Date()) {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  writeFileSync(files.certFile, cert)
  writeFileSync(files.keyFile, key)
  const said: string[] = []
  const say = (_details: object, sentence: string) => void said.push(sentence)
  const certificate = await openCertificate({ ...files, log: { info: say, warn: say }, now, lookEveryMs: 5 })
  opened.push(certificate)
  return { ...files, certificate, said }
}

const refusal = (folder: string, pair: Pair) => watched(folder, pair).catch((error: Error) => error.message)

test('a renewed pair is taken without a restart, and told in the log', async () => {
  const { certificate, certFile, keyFile, said } = await watched(runFolder('renewed'))
  const told: string[] = []
  certificate.onRenewed(({ cert }) => told.push(cert))
  writeFileSync(keyFile, second.key)
  writeFileSync(certFile, second.cert)
  await eventually(
    async () => certificate.keyPair(),
    ({ cert }) => cert === second.cert,
  )
  expect(told).toEqual([second.cert])
  expect(certificate.trouble()).toBeUndefined()
  expect(said.at(-1)).toBe('The certificate was renewed; new connections get the new one.')
})

test('a link that is exchanged, as orchestrators do, is a renewal', async () => {
  const folder = runFolder('linked')
  for (const [name, { cert, key }] of Object.entries({ one: first, two: second })) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'cert.pem'), cert)
    writeFileSync(join(folder, name, 'key.pem'), key)
  }
  symlinkSync('one', join(folder, 'live'))
  const { certificate } = await watched(join(folder, 'live'))
  symlinkSync('two', join(folder, 'next'))
  renameSync(join(folder, 'next'), join(folder, 'live'))
  await eventually(
    async () => certificate.keyPair(),
    ({ cert }) => cert === second.cert,
  )
})

test('a broken new file keeps the old pair, and is told until it is mended', async () => {
  const { certificate, certFile, keyFile, said } = await watched(runFolder('broken'))
  writeFileSync(certFile, second.cert.slice(0, 300))
  const trouble = await eventually(
    async () => certificate.trouble(),
    (found) => found !== undefined,
  )
  expect(trouble).toMatch(`${certFile} holds no whole certificates in PEM. The one from before is used, until 20`)
  expect(certificate.keyPair()).toMatchObject(first)
  expect(said).toEqual([
    `${certFile} holds no whole certificates in PEM. The certificate from before goes on being used.`,
  ])
  writeFileSync(certFile, second.cert)
  await eventually(
    async () => certificate.trouble(),
    (found) =>
      found?.startsWith(`The key in ${keyFile} does not belong to the first certificate in ${certFile}.`) === true,
  )
  writeFileSync(keyFile, second.key)
  await eventually(
    async () => certificate.trouble(),
    (found) => found === undefined,
  )
  expect(certificate.keyPair()).toMatchObject(second)
  expect(JSON.stringify(said)).not.toContain('PRIVATE')
})

test('a chain that is still being written is not taken, nor a key that is too short for TLS', async () => {
  const { certificate, certFile, keyFile } = await watched(runFolder('cut'))
  writeFileSync(keyFile, second.key)
  writeFileSync(certFile, second.cert + authority.cert.slice(0, 300))
  await eventually(
    async () => certificate.trouble(),
    (found) => found?.startsWith(`${certFile} holds no whole certificates`) === true,
  )
  const short = makeCertificate(authority, { kind: 'rsa', rsaBits: 512 })
  writeFileSync(keyFile, short.key)
  writeFileSync(certFile, short.cert)
  await eventually(
    async () => certificate.trouble(),
    (found) => found?.startsWith(`TLS cannot be spoken with the certificate in ${certFile} (`) === true,
  )
  expect(certificate.keyPair()).toMatchObject(first)
})

test('a new certificate that has expired, or is not valid yet, does not replace one that holds', async () => {
  const { certificate, certFile, keyFile } = await watched(runFolder('not-valid'))
  const put = (validFrom: Date, validUntil: Date) => {
    const { cert, key } = makeCertificate(authority, { validFrom, validUntil })
    writeFileSync(keyFile, key)
    writeFileSync(certFile, cert)
  }
  const nowMs = Date.now()
  put(new Date(nowMs - 2 * DAY_MS), new Date(nowMs - DAY_MS))
  const expired = await eventually(
    async () => certificate.trouble(),
    (found) => found !== undefined,
  )
  expect(expired).toContain(`The new certificate in ${certFile} has expired at`)
  put(new Date(nowMs + DAY_MS), new Date(nowMs + 9 * DAY_MS))
  const early = await eventually(
    async () => certificate.trouble(),
    (found) => found !== expired,
  )
  expect(early).toContain(`The new certificate in ${certFile} is valid only from`)
  expect(certificate.keyPair()).toMatchObject(first)
})

test('the end of a certificate is told before it comes', async () => {
  const [validFrom, validUntil] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-04-11T00:00:00Z')]
  let now = new Date(validUntil.getTime() - 11 * DAY_MS)
  const pair = makeCertificate(authority, { validFrom, validUntil })
  const { certificate } = await watched(runFolder('ending'), pair, () => now)
  expect(certificate.expiresAt()).toEqual(validUntil)
  expect(certificate.trouble()).toBeUndefined()
  now = new Date(validUntil.getTime() - 9 * DAY_MS)
  expect(certificate.trouble()).toBe('The certificate expires at 2026-04-11T00:00:00.000Z and was not renewed.')
  now = new Date(validUntil.getTime() + HOUR_MS)
  expect(certificate.trouble()).toBe(
    'The certificate has expired at 2026-04-11T00:00:00.000Z: browsers and devices refuse it.',
  )
})

test('files that cannot be used stop the start with a sentence', async () => {
  const folder = runFolder('unusable')
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  expect(await refusal(folder, { cert: first.cert, key: second.key })).toBe(
    `The key in ${keyFile} does not belong to the first certificate in ${certFile}.`,
  )
  expect(await refusal(folder, { cert: first.key, key: first.key })).toBe(
    `${certFile} holds no whole certificates in PEM.`,
  )
  expect(await refusal(folder, { cert: first.cert, key: first.cert })).toBe(
    `${keyFile} holds no private key in PEM that can be read without a passphrase.`,
  )
  expect(await refusal(join(folder, 'gone'), first).then(String)).toContain('ENOENT')
  const missing = {
    certFile: join(folder, 'none'),
    keyFile,
    log: { info: () => {}, warn: () => {} },
    now: () => new Date(),
  }
  await expect(openCertificate(missing)).rejects.toThrow(
    `WAYSIDE_TLS_CERT: ${missing.certFile} cannot be read (ENOENT).`,
  )
})
