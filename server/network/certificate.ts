import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** Renewal writes one file after the other, or exchanges a link: only reading the files sees all of that. */
const LOOK_EVERY_MS = 10_000
/** A certificate with this share of its time left should have been renewed long ago. */
const SOON_EXPIRED = 0.1

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** New connections get this certificate. */
export interface KeyPair {
  /** The certificate, followed by those between it and its root. */
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions extends CertificateFiles {
  readonly log: { readonly info: Say; readonly warn: Say }
  readonly now: () => Date
  /** Only tests set another value than the product's. */
  readonly lookEveryMs?: number
}

type Say = (details: object, sentence: string) => void

/** The certificate in the files, or the last usable one while the files cannot be used. */
export interface Certificate {
  readonly keyPair: () => KeyPair
  readonly expiresAt: () => Date
  readonly onRenewed: (listener: (pair: KeyPair) => void) => void
  /** Says what an operator should do about it; undefined when all is well. */
  readonly trouble: () => string | undefined
  readonly stop: () => void
}

interface Loaded extends KeyPair {
  readonly validFrom: Date
  readonly expiresAt: Date
}

/**
 * Reads both files and watches them.
 *
 * @throws an error whose message says what is wrong with them, for whoever starts the server
 */
export async function openCertificate(options: CertificateOptions): Promise<Certificate> {
  const { log, now, lookEveryMs = LOOK_EVERY_MS, certFile } = options
  const listeners: ((pair: KeyPair) => void)[] = []
  let used = load(await readFiles(options), options)
  let unusable: string | undefined
  /** A fault seen once is not reported: most likely only one of two files is written yet. */
  let suspected: string | undefined
  const look = async () => {
    const judged = await judge(options, used, now())
    if (judged === undefined || 'renewed' in judged) {
      if (unusable !== undefined) log.info({ certFile }, 'The files of the certificate can be used again.')
      unusable = undefined
      suspected = undefined
      if (judged === undefined) return
      used = judged.renewed
      for (const listener of listeners) listener(used)
      log.info({ certFile, expiresAt: used.expiresAt }, 'The certificate was renewed; new connections get the new one.')
    } else if (judged.fault !== suspected) suspected = judged.fault
    else if (judged.fault !== unusable) {
      unusable = judged.fault
      log.warn({ certFile }, `${unusable} The certificate from before goes on being used.`)
    }
  }
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, lookEveryMs)
  timer.unref()
  return {
    keyPair: () => used,
    expiresAt: () => used.expiresAt,
    onRenewed: (listener) => void listeners.push(listener),
    trouble: () => troubleOf(used, unusable, now()),
    stop: () => clearInterval(timer),
  }
}

function troubleOf({ validFrom, expiresAt }: Loaded, unusable: string | undefined, now: Date): string | undefined {
  const until = expiresAt.toISOString()
  if (unusable !== undefined) return `${unusable} The one from before is used, until ${until}.`
  if (now > expiresAt) return `The certificate has expired at ${until}: browsers and devices refuse it.`
  if (now < validFrom) return `The certificate is valid only from ${validFrom.toISOString()} on.`
  const isSoon = expiresAt.getTime() - now.getTime() < SOON_EXPIRED * (expiresAt.getTime() - validFrom.getTime())
  return isSoon ? `The certificate expires at ${until} and was not renewed.` : undefined
}

/** @returns undefined when the files hold what is used already */
async function judge(
  options: CertificateOptions,
  used: Loaded,
  now: Date,
): Promise<{ readonly renewed: Loaded } | { readonly fault: string } | undefined> {
  try {
    const files = await readFiles(options)
    if (files.cert === used.cert && files.key === used.key) return undefined
    const renewed = load(files, options)
    if (now > renewed.expiresAt && now <= used.expiresAt) {
      return { fault: `The new certificate in ${options.certFile} has expired at ${renewed.expiresAt.toISOString()}.` }
    }
    if (now < renewed.validFrom && now >= used.validFrom && now <= used.expiresAt) {
      const from = renewed.validFrom.toISOString()
      return { fault: `The new certificate in ${options.certFile} is valid only from ${from} on.` }
    }
    return { renewed }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

async function readFiles({ certFile, keyFile }: CertificateFiles): Promise<KeyPair> {
  const read = (file: string, name: string) =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${name}: ${file} cannot be read (${error.code}).`)
    })
  const [cert, key] = await Promise.all([read(certFile, 'WAYSIDE_TLS_CERT'), read(keyFile, 'WAYSIDE_TLS_KEY')])
  return { cert, key }
}

/** No message contains anything of the key. */
function load({ cert, key }: KeyPair, { certFile, keyFile }: CertificateFiles): Loaded {
  const [leaf] = readChain(cert, certFile)
  if (!leaf.checkPrivateKey(readKey(key, keyFile))) {
    throw new Error(`The key in ${keyFile} does not belong to the first certificate in ${certFile}.`)
  }
  refuseWeak({ cert, key }, certFile)
  return { cert, key, validFrom: leaf.validFromDate, expiresAt: leaf.validToDate }
}

/** A key that can be read may still be refused: OpenSSL signs with none that is too short. */
function refuseWeak(pair: KeyPair, certFile: string): void {
  try {
    createSecureContext({ ...pair })
  } catch (error) {
    throw new Error(
      `TLS cannot be spoken with the certificate in ${certFile} (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----'
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** @throws without a certificate, with an invalid one, or when the last is cut off because it is being written */
export function readChain(pem: string, file: string): readonly [X509Certificate, ...X509Certificate[]] {
  try {
    const whole = pem.match(PEM_CERTIFICATE) ?? []
    const [first, ...others] = whole.map((one) => new X509Certificate(one))
    const isCut = pem.split(BEGIN).length - 1 !== whole.length
    if (first !== undefined && !isCut) return [first, ...others]
  } catch {
    // The error below reports it.
  }
  throw new Error(`${file} holds no whole certificates in PEM.`)
}

function readKey(key: string, keyFile: string): KeyObject {
  try {
    return createPrivateKey(key)
  } catch {
    throw new Error(`${keyFile} holds no private key in PEM that can be read without a passphrase.`)
  }
}
