import type { Analysis } from '@ensaio/statistics'
import { mainGroup } from './analysis-text.ts'

/** The methods' papers, in ABNT form. */
const REFERENCES = {
  anova: 'PIMENTEL-GOMES, F. Curso de estatística experimental. 15. ed. Piracicaba: FEALQ, 2009.',
  ajustadas:
    'SEARLE, S. R.; SPEED, F. M.; MILLIKEN, G. A. Population marginal means in the linear model. The American Statistician, v. 34, n. 4, p. 216-221, 1980.',
  tukey:
    'TUKEY, J. W. Comparing individual means in the analysis of variance. Biometrics, v. 5, n. 2, p. 99-114, 1949.',
  kramer:
    'KRAMER, C. Y. Extension of multiple range tests to group means with unequal numbers of replications. Biometrics, v. 12, n. 3, p. 307-310, 1956.',
  duncan: 'DUNCAN, D. B. Multiple range and multiple F tests. Biometrics, v. 11, n. 1, p. 1-42, 1955.',
  dunnett:
    'DUNNETT, C. W. A multiple comparison procedure for comparing several treatments with a control. Journal of the American Statistical Association, v. 50, n. 272, p. 1096-1121, 1955.',
  scott_knott:
    'SCOTT, A. J.; KNOTT, M. A cluster analysis method for grouping means in the analysis of variance. Biometrics, v. 30, n. 3, p. 507-512, 1974.',
  letras:
    'PIEPHO, H.-P. An algorithm for a letter-based representation of all-pairwise comparisons. Journal of Computational and Graphical Statistics, v. 13, n. 2, p. 456-466, 2004.',
  satterthwaite:
    'SATTERTHWAITE, F. E. An approximate distribution of estimates of variance components. Biometrics Bulletin, v. 2, n. 6, p. 110-114, 1946.',
  shapiro:
    'ROYSTON, P. Remark AS R94: a remark on algorithm AS 181: the W-test for normality. Applied Statistics, v. 44, n. 4, p. 547-551, 1995.',
  levene:
    'BROWN, M. B.; FORSYTHE, A. B. Robust tests for the equality of variances. Journal of the American Statistical Association, v. 69, n. 346, p. 364-367, 1974.',
  aditividade:
    'TUKEY, J. W. One degree of freedom for non-additivity. Biometrics, v. 5, n. 3, p. 232-242, 1949.',
  box_cox:
    'BOX, G. E. P.; COX, D. R. An analysis of transformations. Journal of the Royal Statistical Society B, v. 26, n. 2, p. 211-252, 1964.',
  welch:
    'WELCH, B. L. On the comparison of several mean values: an alternative approach. Biometrika, v. 38, n. 3/4, p. 330-336, 1951.',
  games_howell:
    "GAMES, P. A.; HOWELL, J. F. Pairwise multiple comparison procedures with unequal n's and/or variances. Journal of Educational Statistics, v. 1, n. 2, p. 113-125, 1976.",
  kruskal:
    'KRUSKAL, W. H.; WALLIS, W. A. Use of ranks in one-criterion variance analysis. Journal of the American Statistical Association, v. 47, n. 260, p. 583-621, 1952.',
  dunn: 'DUNN, O. J. Multiple comparisons using rank sums. Technometrics, v. 6, n. 3, p. 241-252, 1964.',
  friedman:
    'FRIEDMAN, M. The use of ranks to avoid the assumption of normality implicit in the analysis of variance. Journal of the American Statistical Association, v. 32, n. 200, p. 675-701, 1937.',
  doses:
    'CERRATO, M. E.; BLACKMER, A. M. Comparison of models for describing corn yield response to nitrogen fertilizer. Agronomy Journal, v. 82, n. 1, p. 138-143, 1990.',
  fieller:
    'FIELLER, E. C. Some problems in interval estimation. Journal of the Royal Statistical Society B, v. 16, n. 2, p. 175-185, 1954.',
  abbott:
    'ABBOTT, W. S. A method of computing the effectiveness of an insecticide. Journal of Economic Entomology, v. 18, n. 2, p. 265-267, 1925.',
  henderson_tilton:
    'HENDERSON, C. F.; TILTON, E. W. Tests with acaricides against the brown wheat mite. Journal of Economic Entomology, v. 48, n. 2, p. 157-161, 1955.',
  aacpd:
    'SHANER, G.; FINNEY, R. E. The effect of nitrogen fertilization on the expression of slow-mildewing resistance in Knox wheat. Phytopathology, v. 67, p. 1051-1056, 1977.',
  reml: 'VIECHTBAUER, W. Bias and efficiency of meta-analytic variance estimators in the random-effects model. Journal of Educational and Behavioral Statistics, v. 30, n. 3, p. 261-293, 2005.',
} as const

/** Of dominance and the marginal rate of return. */
export const MARGINAL_RATE_REFERENCE =
  'CIMMYT. From agronomic data to farmer recommendations: an economics training manual. México, DF: CIMMYT, 1988.'

/** The references of the methods that an answer used, in the order in which its page shows them. */
export function referencesOf(analysis: Analysis): string[] {
  const {
    grupos,
    anova,
    pressupostos,
    box_cox,
    nao_parametrico,
    welch,
    regressao,
    regressoes,
    eficacia,
    aacpd,
  } = analysis
  const main = mainGroup(analysis)
  const has = (value: object | null | undefined) => value != null && !('motivo' in value)
  const ranks = nao_parametrico && 'teste' in nao_parametrico ? nao_parametrico.teste : null
  const efficacy = eficacia && 'metodo' in eficacia ? eficacia.metodo : null
  const doses = regressao ?? regressoes?.[0]
  const used: [keyof typeof REFERENCES, boolean][] = [
    ['anova', true],
    ['ajustadas', !analysis.completo],
    ['reml', anova.metodo === 'reml'],
    [
      'satterthwaite',
      anova.metodo === 'reml' ||
        grupos.some(({ gl, dentro }) => dentro !== null && gl !== null && !Number.isInteger(gl)),
    ],
    ['tukey', main?.pares !== undefined],
    ['kramer', main?.pares !== undefined && main.criticos === null],
    ['duncan', main?.letras !== undefined],
    ['dunnett', has(main?.dunnett)],
    ['scott_knott', has(main?.scott_knott)],
    ['letras', main?.letras !== undefined],
    ['shapiro', pressupostos !== undefined && has(pressupostos.shapiro)],
    ['levene', pressupostos !== undefined && has(pressupostos.levene)],
    ['aditividade', pressupostos !== undefined && has(pressupostos.aditividade)],
    ['box_cox', has(box_cox) || analysis.transformacao.nome === 'boxcox'],
    ['welch', has(welch)],
    ['games_howell', has(welch)],
    ['kruskal', ranks === 'kruskal'],
    ['dunn', ranks === 'kruskal'],
    ['friedman', ranks === 'friedman'],
    ['doses', doses !== undefined],
    ['fieller', doses?.modelos.some(({ maximo }) => maximo !== undefined) ?? false],
    ['abbott', efficacy === 'abbott'],
    ['henderson_tilton', efficacy === 'henderson_tilton'],
    ['aacpd', aacpd !== undefined],
  ]
  return used.filter(([, is]) => is).map(([key]) => REFERENCES[key])
}
