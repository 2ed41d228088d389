/** The build writes these notices (`tools/licences`). */
export interface Notices {
  readonly texts: readonly string[]
  readonly parts: readonly {
    readonly name: string
    readonly version: string
    readonly licence: string
    readonly text: number
  }[]
}
