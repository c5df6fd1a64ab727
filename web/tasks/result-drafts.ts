import { keepDrafts } from '../data/kept-drafts.ts'
import type { Task } from '../data/tasks.ts'

const drafts = keepDrafts<{ text: string }>('result', { text: '' })

/** The result that is being written for a task. The row of the task may leave the page and return meanwhile. */
export const resultDrafts = {
  use: ({ id }: Task): string => drafts.use(String(id)).text,
  keep: ({ id }: Task, text: string): void => drafts.keep(String(id), { text }),
  drop: ({ id }: Task): void => drafts.drop(String(id)),
}
