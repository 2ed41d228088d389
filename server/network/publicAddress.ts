import { TLSSocket } from 'node:tls'

interface Reached {
  readonly publicUrl?: string | undefined
  readonly tlsCert?: string | undefined
}

/** True when browsers come by HTTPS, to here or to a proxy: cookies and HSTS depend on it. */
export const isReachedByTls = ({ publicUrl, tlsCert }: Reached): boolean =>
  publicUrl === undefined ? tlsCert !== undefined : publicUrl.startsWith('https:')

/**
 * True when a request came by HTTPS. Behind a proxy the public address decides, because no header is believed; where
 * TLS ends here, the plain port may be open beside it.
 */
export const cameByTls = (reached: Reached, connection: object): boolean =>
  isReachedByTls(reached) && (reached.publicUrl !== undefined || connection instanceof TLSSocket)
