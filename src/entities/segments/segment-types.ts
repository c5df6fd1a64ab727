/** The colours of segments, without `#`. */
// biome-ignore format: a table
export const segmentColors = [
  '10599d', '2176ff', '006acc', '07a0c3', '247ba0', '177e89', '046e8f', '598381', '0c7c59', '495f41', '00a44b', '08605f',
  'bf2600', '06d6a0', 'e14945', '79b473', 'ae003f', 'a2ad59', 'cd0f53', '8e936d', '832161', '2e5339', 'bf126f', '6f7c12',
  'ff5376', 'dd1c1a',
] as const
export type SegmentColor = (typeof segmentColors)[number]
