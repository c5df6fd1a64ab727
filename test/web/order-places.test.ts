import { expect, test } from 'vitest'
import { placesAfterMove } from '../../web/parts/forms/order-places.ts'

const items = (...places: [id: string, sort: number][]) => places.map(([id, sort]) => ({ id, sort }))

test('a moved item gets a place between the adjacent items, which keep theirs', () => {
  expect(placesAfterMove(items(['a', 20], ['c', 40], ['b', 30]), 1, 10)).toEqual([{ id: 'c', sort: 25 }])
  expect(placesAfterMove(items(['c', 40], ['a', 20], ['b', 30]), 0, 10)).toEqual([{ id: 'c', sort: 15 }])
  expect(placesAfterMove(items(['b', 30], ['c', 40], ['a', 20]), 2, 10)).toEqual([{ id: 'a', sort: 50 }])
})

test('items without space between them are numbered again, behind those that cannot move', () => {
  expect(placesAfterMove(items(['a', 11], ['c', 13], ['b', 12]), 1, 10)).toEqual([
    { id: 'a', sort: 20 },
    { id: 'c', sort: 30 },
    { id: 'b', sort: 40 },
  ])
  expect(placesAfterMove(items(['b', 30], ['a', 20], ['c', 30]), 1, 10)).toEqual([
    { id: 'b', sort: 20 },
    { id: 'a', sort: 30 },
    { id: 'c', sort: 40 },
  ])
  expect(placesAfterMove(items(['b', 7], ['a', 0]), 0, 0)).toEqual([
    { id: 'b', sort: 10 },
    { id: 'a', sort: 20 },
  ])
})
