// Node.js loads this before each program of package.json. It is written as JavaScript was in 2015, because an older
// Node.js answers newer syntax with a stack instead of the sentence below.
'use strict'

const { optionalDependencies } = require('../package.json')

/** Node.js 24 comes with the packages, and an older one is enough to install them (docs/decisions/0285). */
const isBrought = `node-${process.platform.replace('win32', 'win')}-${process.arch}` in optionalDependencies
const lowest = isBrought ? [20, 19] : [24, 0]

const present = process.versions.node.split('.').map(Number)
if (present[0] < lowest[0] || (present[0] === lowest[0] && present[1] < lowest[1])) {
  const where = isBrought ? '' : ` on ${process.platform}-${process.arch}`
  console.error(
    `Wayside needs Node.js ${lowest.join('.')} or newer${where}, but this is ${process.versions.node}: ` +
      'install a newer one from https://nodejs.org and start again.',
  )
  process.exit(1)
}
