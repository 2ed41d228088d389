/** Their lists open over a page, and what measures and scrolls those weighs as much as the rest of the kit. */
export { Autocomplete, Select, TagsInput } from '@mantine/core'
