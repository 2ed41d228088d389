const COLUMNS = 7
const ROWS = 7
const CELL_WIDTH = 104
const CELL_HEIGHT = 92
/** The pattern looks scattered but is always the same. */
const noise = (column: number, row: number) => (Math.sin(column * 12.9898 + row * 78.233) * 43758.5453) % 1

const TONES = ['var(--ok)', 'var(--ok)', 'var(--ok)', 'var(--ok)', 'var(--pending)', 'var(--warn)', 'var(--crit)']

interface Display {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly tone: string
  readonly level: number
}

const DISPLAYS: readonly Display[] = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)]
  const chance = Math.abs(noise(column + 1, row + 1))
  const isTall = chance > 0.55
  return {
    key: `${column}-${row}`,
    x: column * CELL_WIDTH + (row % 2) * 40,
    y: row * CELL_HEIGHT,
    width: isTall ? 34 : 64,
    height: isTall ? 58 : 40,
    tone: TONES[Math.floor(chance * 97) % TONES.length] ?? 'var(--ok)',
    level: chance,
  }
})

/** The street behind the login page is decoration only. */
export function StreetScene() {
  return (
    <svg className="login-street" viewBox="0 0 720 640" preserveAspectRatio="xMidYMin slice" aria-hidden="true">
      <defs>
        <linearGradient id="street-fade" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="white" stopOpacity="0.9" />
          <stop offset="0.72" stopColor="white" stopOpacity="0.12" />
          <stop offset="1" stopColor="white" stopOpacity="0" />
        </linearGradient>
        <mask id="street-mask">
          <rect width="760" height="640" fill="url(#street-fade)" />
        </mask>
      </defs>
      <g mask="url(#street-mask)" strokeLinecap="round" strokeLinejoin="round">
        {DISPLAYS.map((display) => (
          <StreetDisplay key={display.key} display={display} />
        ))}
      </g>
    </svg>
  )
}

function StreetDisplay({ display }: { readonly display: Display }) {
  const { x, y, width, height, tone, level } = display
  const waveY = height * 0.58
  const swing = 3 + level * 8
  const wave = `M6 ${waveY}q${width / 8} ${-swing} ${width / 4} 0t${width / 4} 0t${width / 4} ${-swing / 3}`
  return (
    <g transform={`translate(${x} ${y + 18})`} fill="none">
      <rect width={width} height={height} rx={4} fill="var(--surface)" stroke="var(--line-strong)" />
      <path d={wave} stroke={tone} strokeWidth={1.5} opacity={0.85} />
      <circle cx={width - 7} cy={7} r={2.4} fill={tone} />
      <path d={`M${width / 2} ${height}v8M${width / 2 - 9} ${height + 8}h18`} stroke="var(--line-strong)" />
    </g>
  )
}
