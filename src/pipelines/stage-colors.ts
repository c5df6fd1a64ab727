/** The colours that a stage may have. */
export const stageColors = [
  '#fffeb2',
  '#fffd7f',
  '#fff000',
  '#ffeab2',
  '#ffdc7f',
  '#ffce5a',
  '#ffdbdb',
  '#ffc8c8',
  '#ff8f92',
  '#d6eaff',
  '#c1e0ff',
  '#98cbff',
  '#ebffb1',
  '#deff81',
  '#87f2c0',
  '#f9deff',
  '#f3beff',
  '#ccc8f9',
  '#eb93ff',
  '#f2f3f4',
  '#e6e8ea',
] as const

/** Of a stage that names none. */
export const DEFAULT_COLOR: string = stageColors[0]

/** The colours of the first stages, by which a new pipeline shows how far a lead has come. */
export const firstColors = ['#98cbff', '#fffd7f', '#ffce5a', '#ffc8c8'] as const

const known = new Set<string>(stageColors)
export const isStageColor = (color: string): boolean => known.has(color)
