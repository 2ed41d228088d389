import type { KeptOptions } from '#domain/drivers/keptSecrets.ts'
import type { DeviceId } from '#domain/ids.ts'
import { keyIdOf } from './encryptedText.ts'
import type { SecretCipher } from './SecretCipher.ts'

interface Part {
  readonly deviceId: DeviceId
  readonly part: string
}

const placeOf = ({ deviceId, part }: Part, option: string) => `device_driver/${deviceId}/${part}/${option}`

/** Encrypts the options. A value that could not be read before stays as it is. */
export const encryptOptions = (cipher: SecretCipher, of: Part, secrets: KeptOptions): KeptOptions =>
  withTexts(secrets, (text, option) => (keyIdOf(text) === undefined ? cipher.encrypt(text, placeOf(of, option)) : text))

export const decryptOptions = (cipher: SecretCipher, of: Part, secrets: KeptOptions): KeptOptions =>
  withTexts(secrets, (text, option) => cipher.tryDecrypt(text, placeOf(of, option)) ?? text)

/** Decrypts the options and leaves out what cannot be read: the driver then reports what it misses. */
export const optionsForDevice = (cipher: SecretCipher, of: Part, secrets: KeptOptions): KeptOptions =>
  Object.fromEntries(
    Object.entries(decryptOptions(cipher, of, secrets)).filter(
      ([, value]) => typeof value !== 'string' || keyIdOf(value) === undefined,
    ),
  )

const withTexts = (options: KeptOptions, change: (text: string, option: string) => string): KeptOptions =>
  Object.fromEntries(
    Object.entries(options).map(([option, value]) => [
      option,
      typeof value === 'string' ? change(value, option) : value,
    ]),
  )
