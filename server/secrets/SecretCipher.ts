import { CallError } from '#server/http/call/callError.ts'
import { decryptText, encryptText, keyIdOf, type SecretKey } from './encryptedText.ts'

export interface SecretCipherDeps {
  /** Reads the keys as they are set or lie in their file now; the first one encrypts. */
  readonly readKeys: () => readonly SecretKey[]
  /** The ids of the keys of this database, as this process found them at its start. */
  readonly registeredIds: ReadonlySet<string>
}

/**
 * Encrypts what the server has to send or compare later, by a key that is not in the database (docs/decisions/0267). A
 * place names a row and a column, as in `channel/12/secret`.
 */
export class SecretCipher {
  readonly #deps: SecretCipherDeps
  readonly #known = new Map<string, SecretKey>()
  #isOurs = false
  /** Counts the values that this process could not read when it last checked all of them. */
  unreadableCount = 0

  constructor(deps: SecretCipherDeps) {
    this.#deps = deps
  }

  /** True when a key here belongs to this database; it may become true later, when the file is put back. */
  get hasKey(): boolean {
    return this.keys().length > 0
  }

  /** Reads the keys each time, because another process may change them; none when they belong to another database. */
  keys(): readonly SecretKey[] {
    const keys = this.#deps.readKeys()
    this.#isOurs ||= keys.some(({ id }) => this.#deps.registeredIds.has(id))
    if (!this.#isOurs) return []
    for (const key of keys) this.#known.set(key.id, key)
    return keys
  }

  /** @throws CallError `secret_key_missing` */
  encrypt(text: string, place: string): string {
    if (text === '') return ''
    const [key] = this.keys()
    if (!key) throw new CallError('secret_key_missing')
    return encryptText(key, text, place)
  }

  /** @throws CallError `secret_key_missing`; Error when the value was changed or belongs elsewhere */
  decrypt(value: string, place: string): string {
    const id = keyIdOf(value)
    if (id === undefined) return value
    if (!this.#known.has(id)) this.keys()
    const key = this.#known.get(id)
    if (!key) throw new CallError('secret_key_missing')
    return decryptText(key, value, place)
  }

  /** Returns undefined when the value cannot be read, for callers that go on without it. */
  tryDecrypt(value: string, place: string): string | undefined {
    try {
      return this.decrypt(value, place)
    } catch {
      return undefined
    }
  }

  encryptBytes(bytes: Buffer, place: string): Buffer {
    return Buffer.from(this.encrypt(bytes.toString('base64'), place))
  }

  decryptBytes(value: Buffer, place: string): Buffer {
    const text = value.toString('latin1')
    return keyIdOf(text) === undefined ? value : Buffer.from(this.decrypt(text, place), 'base64')
  }
}
