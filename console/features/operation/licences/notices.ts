/** As the build writes them (`tools/licences`). */
export interface Notices {
  readonly texts: readonly string[]
  readonly parts: readonly {
    readonly name: string
    /** Empty where it has none. */
    readonly version: string
    /** By SPDX. */
    readonly licence: string
    /** Which of the texts. */
    readonly text: number
  }[]
}
