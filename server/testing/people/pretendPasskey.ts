import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'

const USER_PRESENT = 0x01
const HAS_CREDENTIAL = 0x40
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

export interface RequestedAs {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  /** The use counter of the passkey; one more than before by default. */
  readonly useCount?: number
}

/** An authenticator that answers as a test wants, signed by a key of its own (ES256). */
export function pretendPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const credentialId = id.toString('base64url')
  let uses = 0
  const client = (type: string, { challenge, origin = 'http://localhost:8080' }: RequestedAs) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const data = ({ rpId = 'localhost', useCount }: RequestedAs, flags: number, more = Buffer.alloc(0)) => {
    uses = useCount ?? uses + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(uses)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more])
  }
  return {
    credentialId,
    made: (asked: RequestedAs) => {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key)])
      const authData = new Uint8Array(data(asked, USER_PRESENT | HAS_CREDENTIAL, credential))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        credentialId,
        clientDataJSON: client('webauthn.create', asked).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      }
    },
    answer: (asked: RequestedAs): PasskeyAnswer => {
      const clientData = client('webauthn.get', asked)
      const authenticatorData = data(asked, USER_PRESENT)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
      return {
        credentialId,
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      }
    },
  }
}
