/** Where the ceiling stores: a table like that of display reports, beside it. */
export const CEILING_TABLE = 'bench_ceiling'
