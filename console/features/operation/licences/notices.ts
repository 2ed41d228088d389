/** The build writes these notices (`tools/licences`). */
export interface Notices {
  readonly texts: readonly string[]
  readonly parts: readonly {
    readonly name: string
    /** It is empty where the package has none. */
    readonly version: string
    /** The SPDX identifier. */
    readonly licence: string
    /** The index of the licence text in `texts`. */
    readonly text: number
  }[]
}
