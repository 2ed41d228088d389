interface Reached {
  readonly publicUrl?: string | undefined
  readonly tlsCert?: string | undefined
}

/** Whether browsers come by HTTPS, be it from here or from a proxy: for cookies and the promise to stay with it. */
export const isReachedByTls = ({ publicUrl, tlsCert }: Reached): boolean =>
  publicUrl === undefined ? tlsCert !== undefined : publicUrl.startsWith('https:')
