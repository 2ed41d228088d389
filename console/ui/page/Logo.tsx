interface LogoProps {
  readonly size?: number
}

export function Logo({ size = 26 }: LogoProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="var(--brand)"
      strokeWidth={2.2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x={3} y={5} width={26} height={18} rx={3} />
      <path d="M11 28h10M7 14.5h5l2.6-4.6 3.4 8.8 2.4-4.2H25" />
    </svg>
  )
}
