import { Autocomplete, Select, TagsInput } from '@mantine/core'

/** Their lists open over a page, and what measures and scrolls those weighs as much as the rest of the kit. */
export const OVER_PAGE = { Autocomplete, Select, TagsInput }
