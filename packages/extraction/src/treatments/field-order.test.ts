import { expect, test } from 'vitest'
import { treatmentsOf } from '../layout/test-typed.ts'

const SHEET = `
Faixa    Bloco    Trat.    Peso (kg)    sc/ha
1        1        T3       4776         69,5
2        1        T1       4369         63,8
3        1        T2       4577         66,1
4        2        T2       4468         65,4
5        2        T1       4186         61,2
6        2        T3       4568         67,3
7        3        T2       4465         64,9
8        3        T3       4592         66,9
9        3        T1       4152         60,7`

test('plots in the order of the field are means of their treatments, not treatments', () => {
  const yields = treatmentsOf(SHEET, 'likely')?.map(([, kilos]) => kilos)
  expect(yields).toEqual([3714, 3928, 4074])
})
