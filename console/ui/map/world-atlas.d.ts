// The type of the file itself would be as long as the file.
declare module 'world-atlas/countries-50m.json' {
  const topology: object
  export default topology
}
