import { TLSSocket } from 'node:tls'

interface Reached {
  readonly publicUrl?: string | undefined
  readonly tlsCert?: string | undefined
}

/** Whether browsers come by HTTPS, be it from here or from a proxy: for cookies and the promise to stay with it. */
export const isReachedByTls = ({ publicUrl, tlsCert }: Reached): boolean =>
  publicUrl === undefined ? tlsCert !== undefined : publicUrl.startsWith('https:')

/**
 * Whether a request came by HTTPS. Behind a proxy the public address says so, since no header of anybody is believed; where
 * TLS ends here, the plain port may be open beside it.
 */
export const cameByTls = (reached: Reached, connection: object): boolean =>
  isReachedByTls(reached) && (reached.publicUrl !== undefined || connection instanceof TLSSocket)
