/** Where each part of the question stands in the address. */
export const QUESTION_KEYS = [
  'variavel',
  'avaliacao',
  'agregacao',
  'transformacao',
  'lambda',
  'covariavel',
  'alfa',
  'eficacia',
  'avaliacao_previa',
  'preco_insumo',
  'preco_produto',
  'origem',
  'excluir_testemunha',
  'excluir_constantes',
  'ignorar_fatores',
  'usar',
] as const
