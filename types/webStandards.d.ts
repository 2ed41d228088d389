// The rules know neither a browser nor Node.js. What both have, and the rules need, stands here and nowhere else.

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  constructor(label?: 'utf-8' | 'latin1')
  decode(bytes: Uint8Array): string
}

declare function atob(base64: string): string

declare const crypto: {
  readonly subtle: {
    digest(algorithm: 'SHA-256', data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      key: Uint8Array<ArrayBuffer>,
      algorithm: 'Ed25519',
      extractable: boolean,
      usages: readonly 'verify'[],
    ): Promise<unknown>
    verify(
      algorithm: 'Ed25519',
      key: unknown,
      signature: Uint8Array<ArrayBuffer>,
      data: Uint8Array<ArrayBuffer>,
    ): Promise<boolean>
  }
}
