import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { extract } from '../index.ts'

/** Ways of telling treatments that the reader once passed over: codes or names, yields and products of each. */
const HANDS: readonly [
  way: string,
  file: string,
  yields: readonly number[],
  products: readonly string[][],
][] = [
  [
    'bars that stand, drawn, a heading over them',
    'ba/ba05',
    [5922, 6192, 6414, 6570, 6228],
    [[], ['Zintrol'], ['Zintrol'], ['Zintrol', 'Borak'], ['Znfoli']],
  ],
  [
    'bars that lie, each name over its bar, names with numbers in circles',
    'ba/ba02',
    [3882, 4104, 4026, 4212, 3978, 4374],
    [],
  ],
  [
    'bars over letters and names on slides',
    'bb/bb05',
    [3219, 4024.5, 4228.5, 4341, 4600.5, 4411.5],
    [
      [],
      ['Malatrix 1000'],
      ['Fiprodan 800'],
      ['Etiprol 200'],
      ['Etiprol 200', 'Lambdavex'],
      ['Malatrix 1000', 'Fiprodan 800'],
    ],
  ],
  [
    'bars beside acronyms that a table of three columns explains',
    'bb/bb12',
    [33129.6, 35659.2, 37576.8, 39494.4, 41412],
    [[], ['Sulfazin', 'Mangasul'], ['Citrofol ZnMn'], ['Citrofol ZnMn'], ['Citrofol ZnMn', 'Aminocit']],
  ],
  ['a weedy control and a weeded one', 'bb/bb10', [4860, 7920, 8350, 9410, 9870, 9980], []],
  [
    'a heading and a paragraph for each treatment',
    'bb/bb08',
    [2478, 2640, 2856, 2610, 3012],
    [[], ['Raizer'], ['Raizer', 'Floragro'], ['CaB Plus'], ['Raizer', 'Floragro', 'CaB Plus']],
  ],
  [
    'doses crossed in columns with levels, units in a row of their own',
    'bb/bb06',
    [2874, 3465, 3768, 3052, 3724, 3936],
    [
      [],
      ['Nitroplus 45'],
      ['Nitroplus 45'],
      ['AzoTrigo'],
      ['AzoTrigo', 'Nitroplus 45'],
      ['AzoTrigo', 'Nitroplus 45'],
    ],
  ],
  [
    'names crossed in tables of two ways',
    'bf/bf12',
    [2764, 3310, 3522, 3448, 3415, 3660, 3571, 3502, 3811, 3702],
    [
      [],
      ['Prisma SC'],
      ['Prisma SC', 'Oleovita'],
      ['Prisma SC', 'Siltech 80'],
      ['Ortivan EC'],
      ['Ortivan EC', 'Oleovita'],
      ['Ortivan EC', 'Siltech 80'],
      ['Zetamil WG'],
      ['Zetamil WG', 'Oleovita'],
      ['Zetamil WG', 'Siltech 80'],
    ],
  ],
  [
    'letters up to I before ruled rows',
    'be/be07',
    [2046, 3325, 3441, 3498, 3567, 3532, 3655, 3466, 3602],
    [
      [],
      ['Glifotal 540', 'Dicamax 480'],
      ['Glifotal 540', 'Dicamax 480', 'Oleosul Mineral'],
      ['Glifotal 540', 'Dicamax 480', 'Aderix'],
      ['Glifotal 540', 'Dicamax 480', 'Aderix'],
      ['Glifotal 540', 'Dicamax 480', 'Derivax LT'],
      ['Glifotal 540', 'Dicamax 480', 'Aderix', 'Derivax LT'],
      ['Glifotal 540', 'Dicamax 480', 'TampoPlus'],
      ['Glifotal 540', 'Dicamax 480', 'Aderix', 'TampoPlus'],
    ],
  ],
  [
    'treatments along a row, a note below several columns',
    'be/be12',
    [9874, 10236, 10312, 10485, 10418, 10672],
    [
      ['Azoxitop Duo'],
      ['Azoxitop Duo', 'Oleon Vegetal'],
      ['Azoxitop Duo', 'Spreadmax'],
      ['Azoxitop Duo', 'Spreadmax'],
      ['Azoxitop Duo', 'Multiforce'],
      ['Azoxitop Duo', 'Multiforce', 'Spreadmax'],
    ],
  ],
  [
    'amounts before their products behind a sum',
    'be/be06',
    [2184, 2301, 2366, 2352, 2412, 2598, 2741, 2690],
    [
      [],
      ['Comolyx'],
      ['Comolyx'],
      ['Comolyx'],
      ['Rhizofix Feijão'],
      ['Rhizofix Feijão', 'Comolyx'],
      ['Rhizofix Feijão', 'Comolyx'],
      ['Rhizofix Feijão', 'Comolyx'],
    ],
  ],
  [
    "a trial program's list with a product in each line",
    'bf/bf04',
    [2984, 3512, 3745, 3902, 4018, 4187, 4105, 3866, 3790],
    [
      [],
      ['BRUNAZOL 250 EC'],
      ['TRIGOMIL SC'],
      ['TRIGOMIL SC', 'ADERMAX'],
      ['VELARIS 400'],
      ['VELARIS 400', 'ADERMAX'],
      ['VELARIS 400', 'BRUNAZOL 250 EC'],
      ['CEREALIS WG', 'ADERMAX'],
      ['OPTIMAZ SE', 'ADERMAX'],
    ],
  ],
  [
    'a table that counts on over a page',
    'bf/bf09',
    [27300, 31400, 32800, 33600, 34100, 32200, 34900, 36700, 37500, 38200, 35300, 39000],
    [
      [],
      ['Abamix 18 EC'],
      ['Abamix 18 EC', 'Citroil'],
      ['Imidafort 200'],
      ['Imidafort 200', 'Citroil'],
      ['Piretrin Max'],
      ['Psilex SC'],
      ['Psilex SC'],
      ['Psilex SC'],
      ['Psilex SC', 'Citroil'],
      ['Caulim Pro'],
      ['Caulim Pro', 'Psilex SC'],
    ],
  ],
  [
    'treatments counted in sentences, yields by product and dose',
    'bc/bc07',
    [6480, 7015, 7390, 7462],
    [[], ['Silicamax'], ['Silicamax'], ['Piriclor']],
  ],
  [
    'a list behind a colon, the control before it',
    'bd/bd10',
    [2208, 2490, 2574, 2772],
    [[], ['Zinboro Plus'], ['Zinboro Plus'], ['Zinboro Plus', 'Aminosul']],
  ],
  [
    'tables with rules around the headings alone',
    'bd/bd12',
    [4620, 9840, 7315, 8345, 8005, 9375, 8740, 9710, 8630],
    [
      [],
      [],
      ['Orizaphos 240'],
      ['Orizaphos 240', 'Veicular OM'],
      ['Orizaphos 240'],
      ['Orizaphos 240', 'Veicular OM'],
      ['Orizaphos 240', 'Silgota'],
      ['Orizaphos 240', 'Clomaraz 360', 'Veicular OM'],
      ['Penoxarroz', 'Veicular OM'],
    ],
  ],
  ['named bullets, yields in bullets', 'bc/bc05', [2304, 2586, 2694, 2916, 2520], []],
  [
    'strips beside numbers',
    'a/a03',
    [3138, 3348, 3414, 3624],
    [[], ['Perfilha Mn-Zn'], ['Espiga Boro'], ['Perfilha Mn-Zn', 'Espiga Boro']],
  ],
  [
    'yields over the bars of a chart',
    'a/a05',
    [6504, 6834, 7056, 7278],
    [[], ['Maxiraiz'], ['Maxigrain', 'Maxi N-Plus'], ['Maxiraiz', 'Maxigrain', 'Maxi N-Plus']],
  ],
  [
    'short names that the text explains',
    'b/b02',
    [3286, 3504, 3792, 3741, 3455, 3618, 3903],
    [
      [],
      ['Maxsil K'],
      ['Maxsil K'],
      ['Maxsil K'],
      ['Maxmol 15'],
      ['Maxsil K', 'Maxmol 15'],
      ['Maxsil K', 'Maxmol 15'],
    ],
  ],
  [
    'cards side by side, a figure over what was measured, names below bars',
    'am/am12',
    [21_800, 25_100, 24_300, 28_900],
    [[], ['GibraMax 4%'], ['Citoflor'], ['GibraMax 4%', 'Citoflor']],
  ],
  ['cards under bars of two years', 'ap/ap07', [1956, 2274, 2478], []],
  [
    'hybrids without a control, their table torn over the page',
    'ap/ap09',
    [3872, 4415, 4862, 4250, 4731, 4538, 4027, 4946, 4318, 3624, 4387, 4206, 4471, 3918, 3755],
    [],
  ],
  [
    'a name in bold over what it consists of',
    'am/am02',
    [2076, 2274, 2418, 2526],
    [[], ['FloraMax B'], ['FloraMax B', 'CaBor Veg'], ['FloraMax B', 'CaBor Veg', 'Kafé-Zinc']],
  ],
  [
    'lines that tell which products are of one row',
    'ar/ar01',
    [3612, 3748, 3801, 3859, 3700, 3774, 3985, 4066, 3831],
    [
      ...[[], ['NV CoMo 12'], ['NV Boro 10'], ['NV Mang Top'], ['NV Zinc TS'], ['NV Alga 20']],
      ...[
        ['NV CoMo 12', 'NV Boro 10'],
        ['NV Mang Top', 'NV Alga 20'],
      ],
    ],
  ],
  [
    'a table of codes and one of names in its order',
    'ar/ar06',
    [1876, 2214, 2387, 2742, 2569, 2655],
    [
      [],
      ['Rizofix Feijão'],
      ['Rizofix Feijão', 'Azospirilo AZ'],
      ['Rizofix Feijão', 'Azospirilo AZ'],
      ['Ureia'],
    ],
  ],
  [
    'a sentence below each row of a table',
    'ar/ar09',
    [2478, 2580, 2754, 2688, 2982, 2490],
    [[], ['Cupronel', 'Bórax Sol'], ['K-Max'], ['Rootlume']],
  ],
  [
    'yields by name in the sentences of a scanned letter',
    'ar/ar11',
    [7940, 8365, 8210, 8890, 9275],
    [[], ['Silarroz'], ['Zinco Foliar Z7'], ['Fungiroz 300'], ['Silarroz', 'Fungiroz 300']],
  ],
  [
    'charts by code, one of them of another year in a sentence',
    'as/as05',
    [2892, 3306, 3624, 3462, 3834, 3918],
    [[], ['Azimut'], ['Azimut', 'Mancozan'], ['Protibras']],
  ],
  [
    'rows of a panel far apart',
    'as/as06',
    [39_800, 48_700, 46_100, 44_900, 43_300, 42_600, 38_500],
    [[], ['CalciTuber', 'Silício Vivo'], ['CalciTuber'], ['Gesso Grão']],
  ],
  [
    'panels, the control in a strip of its own',
    'as/as01',
    [5916, 6258, 6474, 6732, 7104],
    [[], ['Raizfor'], ['Folhamax Zn'], ['Raizfor', 'Folhamax Zn']],
  ],
  [
    'panels with sacks and kilos',
    'at/at08',
    [3504, 3630, 3690, 3762, 3894, 4008],
    [[], ['Startex'], ['Clorofix'], ['Vagemax']],
  ],
  [
    'two seasons and their mean, names over several rows',
    'aq/aq13',
    [2004, 2292, 2412, 2370, 2232, 2580],
    [[], ['Composto'], ['Composto'], ['Fertorg'], ['Cupromil'], ['Composto', 'Cupromil']],
  ],
  [
    'cards by code in rows of a slide, yields over bars on another',
    'au/au05',
    [5904, 6222, 6312, 6654, 6096],
    [],
  ],
  [
    'a poster in three columns, fertiliser under kg/ha alone',
    'au/au07',
    [1704, 2478, 2694, 2772, 2622, 2568],
    [[], ['Ureia'], ['Nitrolis'], ['Cafenor 39']],
  ],
  ['amounts code by code in a chat', 'c/c05', [3672, 3780, 3894, 3828], [[], ['Aminoagro Starter']]],
  [
    'names with bare doses in the unit of their caption',
    'c/c06',
    [2894, 3612, 3905, 4018, 3548],
    [[], ['Viziar', 'Giberol'], ['Prisma', 'Viziar', 'Giberol']],
  ],
  [
    'a total beside its parts on a further sheet',
    'c/c11',
    [37_600, 39_500, 40_600, 41_900, 39_300],
    [[], ['Amino Raiz']],
  ],
  [
    'a list and results under names of their own',
    'g/g01',
    [2874, 3906, 4356, 4098, 4266],
    [[], ['Ureia 45% N'], ['NitroGuard 46'], ['NitroGuard 46'], ['NitroGuard 46', 'Fertisul Folha Mn']],
  ],
  [
    'a typed sheet whose tables stand below each other',
    'h/h06',
    [7220, 8195, 8567, 8290, 8879, 7970],
    [[], ['Brusol 750']],
  ],
  ['figures over the shortened names of bars', 'g/g06', [2472, 2850, 3048, 2760], [[]]],
  [
    'a protocol in English',
    'g/g08',
    [2412.5, 3288, 3441.3, 3702.5, 3395, 3780, 2980.8],
    [[], ['VRD 4410'], ['VRD 4410', 'Assistol'], ['VRD 4410', 'Mancofort', 'Assistol']],
  ],
  [
    'letters as codes, in rows far apart',
    'g/g10',
    [78_400, 83_100, 86_900, 81_000, 77_600],
    [[], ['Dulcis Pré-Seca'], ['Dulcis Pré-Seca', 'Dulcis Molibdato'], ['ureia']],
  ],
  [
    'fertilisers that are called by what they hold, and means beside their plots',
    'i/i06',
    [1448, 2252, 2404, 2261, 2495, 2632],
    [[], ['04-14-08'], ['04-30-10'], ['08-28-16'], ['Granfértil Organo 05-15-10']],
  ],
  ['sacks whose weight the text says', 'i/i08', [8410, 8745, 9065, 9285, 8630], [[], ['Silforte']]],
  [
    'names without what stands below them in italics, over two pages',
    'i/i16',
    [7412, 9388, 7896, 8011, 8264, 7854, 8147, 8305, 8922, 7790, 7921],
    [[], ['Ureia'], ['AzoMaiz'], ['AzoMaiz'], ['AzoMaiz'], ['FosfoBac']],
  ],
  [
    'what a program of statistics printed, behind a list of numbers',
    'j/j05',
    [2916.4, 3588.2, 3811.9, 3702.55, 3954.35, 3240.75],
    [[], ['Protemax 250 EC'], ['Protemax 250 EC', 'Amino Force']],
  ],
  [
    'a protocol in two languages, a product in each line',
    'j/j12',
    [3012, 3548, 3671, 3702, 3486, 3594, 3815, 3377],
    [[], ['Cobalt 500 SC'], ['Cobalt 500 SC'], ['Cobalt 500 SC', 'Maxoil']],
  ],
  [
    'letters that a note below the table explains',
    'j/j13',
    [88_600, 94_100, 97_800, 92_300, 91_700],
    [[], ['Aminocana Raiz'], ['Aminocana Raiz'], ['Aminocana Folha'], ['Aminocana Folha', 'Maturbio']],
  ],
  [
    'products of a programme in columns of one heading',
    'j/j08',
    [38_400, 41_200, 43_000, 44_600, 45_300],
    [[], ['Dimiphos Citrus'], ['Dimiphos Citrus', 'DimiBoro 10']],
  ],
  [
    'slides whose yields stand over bars with their letters',
    'k/k05',
    [4371, 4557, 4644, 4773],
    [[], ['Boroplus 10'], ['Algofix 12'], ['Algofix 12', 'Nitidus Oil']],
  ],
  [
    'short names that the text explains by each other, over the end of a column',
    'l/l01',
    [2418, 3127, 3655, 3548, 3316, 3209, 3680, 3571],
    [
      [],
      ['trifloxistrobina', 'protioconazol'],
      ['trifloxistrobina', 'protioconazol', 'mancozebe'],
      ['trifloxistrobina', 'protioconazol', 'clorotalonil'],
      ['trifloxistrobina', 'protioconazol', 'oxicloreto de cobre'],
      ['fluxapiroxade', 'piraclostrobina'],
    ],
  ],
  [
    'two controls, sacks of 50 kg and costs on sheets of their own',
    'l/l11',
    [3080, 9520, 7950, 8830, 8280, 9345, 8950, 8470],
    [[], [], ['Clomatec 360 CS'], ['Clomatec 360 CS', 'Pendal 455']],
  ],
  [
    'doses before their products in sentences, yields over bars',
    'm/m07',
    [3498, 3702, 3834, 3624, 3972, 3888],
    [
      [],
      ['NutriMn Plus'],
      ['NutriMn Plus', 'Fosfokal'],
      ['Talo Firme'],
      ['NutriMn Plus', 'Talo Firme', 'Fosfokal'],
    ],
  ],
  [
    'doses of one product that only the caption names',
    'm/m09',
    [6842, 7965, 8874, 9402, 9516],
    [[], ['NitroMax 45'], ['NitroMax 45'], ['NitroMax 45'], ['NitroMax 45']],
  ],
  [
    'a scan whose rows were drawn as one and lost some of their signs',
    'm/m13',
    [21_450, 22_180, 22_640, 23_070, 23_560, 22_910, 23_380, 24_720, 23_940, 25_360, 26_890, 25_110],
    [[], ['Vitasol Ca'], ['Vitasol Ca'], ['Kalifrut'], ['Kalifrut'], ['Mar Forte']],
  ],
  [
    'a sheet of fourteen programmes, a product and its dose in each stage, plots beside their mean',
    'n/n03',
    [4273.5, 4357.5, 4380, 4434, 4542, 4617, 4753.5, 4651.5, 4603.5, 4509, 4425, 4461, 4386, 4606.5],
    [[], ['BoroMax', 'PotaFlor'], ['Solvigor TS'], ['Solvigor TS', 'CoMo Prime']],
  ],
  [
    'bars that are named by products with their doses',
    'n/n07',
    [96_800, 97_900, 98_400, 104_600, 97_100],
    [[], ['Maturix'], ['Maturix'], ['Maturix', 'K-Cana'], ['Concorrente A']],
  ],
  [
    'strips side by side, the unit in the line over the headings',
    'n/n12',
    [3384, 3528, 3678],
    [[], ['Aminofort Soja'], ['CoMo Prime', 'Florecal B']],
  ],
  [
    'one product at several doses, over three tables by its name',
    'n/n13',
    [21_600, 24_900, 27_300, 27_700, 29_000],
    [[], ['Florex'], ['Florex'], ['Florex'], ['Florex', 'Nitrafruta']],
  ],
  [
    'a letter whose headings stand closer than their figures',
    'q/q01',
    [2184, 2352, 2370, 2562, 2598],
    [[], ['Folhamax Zn'], ['Folhamax Zn'], ['Folhamax Zn', 'Boro Vale']],
  ],
  [
    'cards of products under the names of later tables',
    'q/q02',
    [3846, 3894, 4032, 4080, 4224, 4302],
    [[], ['Manganês Quelatado'], ['Vitalis Raiz'], ['Vitalis Fix'], ['Vitalis Fix', 'Vitalis Grain']],
  ],
  [
    'a scanned form whose boxes are as low as a line',
    'q/q07',
    [84_200, 89_700, 87_900, 93_600, 86_500],
    [[], ['Enraizamax'], ['Zn+B Canavial'], ['Enraizamax', 'Zn+B Canavial'], ['Sulfato de zinco']],
  ],
  [
    'a typewritten scan with sacks of 50 kg',
    'q/q11',
    [5920, 6845, 7060, 6975, 7815, 6205],
    [[], ['Fungirroz'], ['Fungirroz'], ['Piricol 500'], ['Fungirroz', 'Piricol 500'], ['Cobre Lagoa']],
  ],
  [
    'a product in each line beside names set unevenly',
    'g/g14',
    [3504, 3636, 3744, 3924, 3708],
    [
      [],
      ['Raiz Max'],
      ['Raiz Max', 'Amino Verde'],
      ['Raiz Max', 'Amino Verde', 'Flora CaB', 'Enche Grão K'],
      ['Conc-Start', 'Conc-Flor'],
    ],
  ],
  [
    'a numbered list whose control has a remark, and amounts of a hundred kilograms of seeds',
    'r/r11',
    [3412, 3788, 3941, 3530, 3866, 4077, 3604, 3719, 3925],
    [[], ['Protefun'], ['Protefun', 'Nodal'], ['Nodal'], ['Carboxil TS'], ['Carboxil TS', 'Nodal']],
  ],
  [
    'a row below the last rule of a page',
    'r/r09',
    [14_800, 24_600, 29_900, 32_700, 28_400, 33_900, 36_200, 38_000, 35_100, 20_300, 22_100, 36_800],
    [[], ['Manzetor'], ['Manzetor', 'Fluaztop']],
  ],
  [
    'bullets and yields by name',
    'r/r07',
    [8120, 8550, 9040, 9310],
    [[], ['Siligran'], ['Tricivo 750'], ['Siligran', 'Tricivo 750']],
  ],
  [
    'cards with a number before the name',
    'r/r03',
    [3144, 3306, 3480, 3702, 3654],
    [[], ['Nitrofol 32'], ['Kelfos Zn', 'Amino Sul'], ['Kelfos Zn', 'Amino Sul', 'K-Grão']],
  ],
  [
    'codes that level rules alone spread over their rows',
    's/s01',
    [2571, 3318, 3702, 3655, 3814, 4127, 3540, 3769, 3087, 3024],
    [
      [],
      ['Agvanto Duo', 'Vegoil EC'],
      ['Agvanto Duo', 'Manzivo 750 WG', 'Vegoil EC'],
      ['AGV-1204 SC', 'Vegoil EC'],
      ['AGV-1204 SC', 'Vegoil EC'],
      ['AGV-1204 SC', 'Manzivo 750 WG', 'Vegoil EC'],
    ],
  ],
  [
    'strips in a list and in a table',
    's/s03',
    [5784, 6072, 6294, 6018, 6366],
    [[], ['Zincomax'], ['Zincomax', 'Nitrofol 30'], ['Nitrofol 30'], ['Zincomax', 'Algatec']],
  ],
  [
    'cells beside the bars of a chart that is cut at its frame',
    's/s10',
    [7704, 10_272, 10_902, 11_334, 10_578, 10_770],
    [[], ['Atramil 500', 'Mesokill 480'], ['Atramil 500', 'Mesokill 480', 'Maxoleo']],
  ],
  [
    'results that only a dose tells',
    's/s11',
    [28_740, 31_920, 34_650, 35_810, 35_080],
    [[], ['Solanvigor'], ['Solanvigor'], ['Solanvigor'], ['Solanvigor']],
  ],
  [
    'cards with counted names, one in two lines',
    't/t07',
    [5904, 6222, 6474],
    [[], ['Aminozinc'], ['Aminozinc', 'Aminofort TS2']],
  ],
  [
    'short names of a program of statistics',
    't/t08',
    [3618, 3942, 4176, 3840, 4059, 4386, 4554],
    [[], ['Metarriz WP'], ['Metarriz WP'], ['Bovegan Pro'], ['Bovegan Pro'], ['Malation UL 1000']],
  ],
  [
    'results under headings that a program of trials prints',
    't/t13',
    [31_840, 35_120, 37_460, 35_900, 40_280, 40_710, 42_550, 41_090],
    [[], ['Rhizobax SC'], ['Rhizobax SC'], ['Trichosoil WP'], ['Rhizobax SC', 'Trichosoil WP']],
  ],
  [
    'a list, and results under shorter names with doses',
    't/t03',
    [2496, 3228, 3552, 3810, 3882, 3444, 3774, 3726, 3918, 2580],
    [[], ['RizoGerais'], ['RizoGerais'], ['RizoGerais'], ['RizoGerais', 'AzoVerde']],
  ],
  [
    'what trial software prints between lines of dashes',
    'v/v11',
    [18_420, 23_750, 25_160, 28_940, 24_030, 26_880, 29_370, 31_650, 22_910, 27_490],
    [[], ['Dimetofen 500 WG'], ['Cymoxa Duo'], ['Cymoxa Duo', 'FX-77'], ['FX-77']],
  ],
  [
    'counted rows under headings of four lines',
    'u/u08',
    [6124, 7608, 8233, 8541, 8460, 7355, 7894, 8712],
    [[], ['Zyphora 240 SC'], ['Zyphora 240 SC'], ['Zyphora 240 SC', 'Adjuvex Oil']],
  ],
  [
    'sheets printed with their letters and numbers',
    'u/u05',
    [87_400, 86_100, 88_000, 84_700, 90_800, 91_500, 92_300, 89_200],
    [[], ['MATURAX 480'], ['MATURAX 480', 'BOROCANA'], ['GLICOSUG WG']],
  ],
  [
    'numbered names along a row, whose doses are told in the text',
    'u/u04',
    [1872, 2334, 2616, 2706, 2502],
    [
      [],
      ['Cafoxil 250 WG'],
      ['Cafoxil 250 WG', 'Cuprosul'],
      ['Ruststop SC', 'Cuprosul'],
      ['Ruststop SC', 'Silicafé'],
    ],
  ],
  [
    'cards of coded samples in rows side by side',
    'u/u07',
    [2871, 3164, 3398, 3421, 3587, 3642, 2996, 3058],
    [[], ['Difenomax 150'], ['Difenomax 150', 'Imidaseed 600'], ['Trilar TS']],
  ],
  [
    'yields on bars beside lists of products',
    'u/u03',
    [4269, 4459.5, 4647, 4591.5, 4836, 4975.5],
    [[], ['Potasol 45'], ['Potasol 45', 'Borogold'], ['Fibramax K']],
  ],
  [
    'bars of which a sentence tells one, in arrobas',
    'aj/aj06',
    [4521, 4693.5, 4644, 4893, 4591.5],
    [[], ['Bactrion'], ['Trikonil WG'], ['Bactrion', 'Trikonil WG']],
  ],
  [
    'the boxes of a form, one after the other',
    'aj/aj08',
    [3120, 3865, 4180, 4255],
    [[], ['UREIA'], ['NITROSTAY 45'], ['SULFATO DE AMÔNIO', 'ZINCOMAX']],
  ],
  ['tonnes of cane, in a letter', 'aj/aj09', [84600, 89100, 91700, 93400, 98200], [[], ['Vegetal 12']]],
  [
    'a table a variable, with blocks and their mean',
    'ak/ak10',
    [4264.8, 4643.8, 5026.5, 5078, 4637, 4993, 4998.3],
    [[]],
  ],
  [
    'treatments by number along a row, in two languages',
    'ak/ak11',
    [3012.5, 3874, 4236.8, 4411.2, 4388.6, 4190.3],
    [[], ['NVT-330 SC'], ['NVT-330 SC'], ['NVT-330 SC'], ['NVT-330 SC', 'Silwex'], ['Sulfoxan WG']],
  ],
  [
    'doses and nothing else, beside the weight of a hectolitre',
    'ak/ak04',
    [2874, 3121, 3318, 3407, 3389, 3204],
    [[], ['AlgaTri'], ['AlgaTri'], ['AlgaTri'], ['AlgaTri'], ['AlgaTri']],
  ],
  [
    'a print-out whose headings go on below, and a product a line',
    'aj/aj11',
    [7214.6, 8120.3, 8342.9, 8455],
    [[], ['Orbian 300'], ['Orbian 300', 'Assistol'], ['Orbian 300']],
  ],
  [
    'what notes add to the products that carry their sign',
    'al/al01',
    [2016, 2952, 3084, 3360, 2820, 3048, 2574, 2922],
    [
      [],
      ['Zoltrix SC', 'Oleofix'],
      ['Zoltrix SC', 'Oleofix'],
      ['Zoltrix SC', 'Mancolit WG', 'Oleofix'],
      ['Belvar 200 SC'],
      ['Belvar 200 SC', 'Mancolit WG'],
      ['Tarpan EC', 'Nimbrol'],
    ],
  ],
  [
    'names of a table beside running text, whose doses it tells',
    'al/al02',
    [1486, 2371, 1932, 2248, 2317, 2405],
    [[], ['N mineral'], ['Rizofix'], ['Rizofix', 'N'], ['Rizofix', 'Azofert']],
  ],
  [
    'codes of which the first is the control’s name',
    'al/al04',
    [3990, 4117.5, 4347, 4248, 4311, 4524, 4453.5],
    [[], ['Retardin 50'], ['Retardin 50'], ['Retardin 50'], ['Chlorstop 100'], ['Retardin 50', 'Bioarq']],
  ],
  [
    'tonnes of dry matter of a pasture, beside tonnes of lime that are no yield',
    'al/al05',
    [6870, 7720, 8950, 9610, 9840, 10_420],
    [[], [], [], [], [], []],
  ],
  [
    'tonnes that were applied, beside tonnes that were harvested',
    'al/al10',
    [71_400, 79_800, 88_100, 93_600, 95_200, 87_300],
    [[], ['Organofértil 4-14-08']],
  ],
  [
    'doses over rows with and without another thing, a table a variable',
    'al/al11',
    [4912, 5847, 6603, 7118, 7240, 5486, 6391, 7092, 7325, 7298],
    [[], ['Ureia'], ['Ureia'], ['Ureia'], ['Ureia'], ['Azograma'], ['Azograma', 'Ureia']],
  ],
  [
    'rows of doses beside two columns a variable',
    'am/am05',
    [4386, 5120, 5743, 6032, 4912, 5690, 6148, 6190],
    [[], ['Ureia protegida'], ['Ureia protegida'], ['Ureia protegida'], ['AzoForte']],
  ],
]

for (const [way, file, yields, products] of HANDS)
  test(`${way} are read`, async () => {
    const bytes = readFileSync(new URL(`../../test/voices/${file}.pdf`, import.meta.url))
    const { tratamentos } = (await extract(bytes)).data
    expect(tratamentos.slice(0, yields.length).map(({ produtividade }) => produtividade)).toEqual(yields)
    expect(
      tratamentos
        .slice(0, products.length)
        .map(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome)),
    ).toEqual(products)
  })

test('a cost behind each of two products, and the sum of both', async () => {
  const bytes = readFileSync(new URL('../../test/voices/al/al04.pdf', import.meta.url))
  const { custo, produtos_aplicados } = (await extract(bytes)).data.tratamentos[5] ?? {}
  expect([custo, ...(produtos_aplicados?.map((product) => product.custo) ?? [])]).toEqual([68.4, 28.5, 39.9])
})

test('units that a caption of many lines tells behind the letters of each column', async () => {
  const bytes = readFileSync(new URL('../../test/voices/al/al02.pdf', import.meta.url))
  const { analises_adicionais: measured } = (await extract(bytes)).data.tratamentos[0] ?? {}
  expect(measured?.map(({ nome, unidade }) => [nome, unidade])).toEqual([
    ['Número de nódulos (NN)', 'nódulos planta−1'],
    ['Massa seca de nódulos (MSN)', 'mg planta−1'],
    ['N na folha (NF)', 'g kg−1'],
    ['Massa de cem grãos (M100)', 'g'],
  ])
})

test('units that a note tells, but for one product', async () => {
  const bytes = readFileSync(new URL('../../test/voices/aj/aj03.pdf', import.meta.url))
  const { tratamentos } = (await extract(bytes)).data
  expect(
    tratamentos.slice(1).map(({ produtos_aplicados: [product] }) => [product?.dose, product?.unidade]),
  ).toEqual([
    [500, 'mL/100 kg sementes'],
    [1, 'L/ha'],
    [0.75, 'L/ha'],
    [4, 'L/ha'],
    [1, 'L/ha'],
  ])
})

test('what each product costs is told by its name', async () => {
  const bytes = readFileSync(new URL('../../test/voices/aj/aj01.pdf', import.meta.url))
  const { nome, produtos_aplicados } = (await extract(bytes)).data.tratamentos[5] ?? {}
  expect(nome).toBe('Nutriverde Completo')
  expect(produtos_aplicados?.map(({ custo }) => custo)).toEqual([31.2, 42.75, 56, 29.9])
})

test('the unit behind a caption is that of all that it names; litres a sack are no harvest', async () => {
  const bytes = readFileSync(new URL('../../test/voices/aj/aj07.pdf', import.meta.url))
  const { tratamentos } = (await extract(bytes)).data
  expect(tratamentos[0]?.produtividade).toBe(1872)
  expect(tratamentos[0]?.analises_adicionais.map(({ valor, unidade }) => [valor, unidade])).toEqual([
    [512, expect.stringMatching(/^L saca/)],
    [24.6, '%'],
    [26.9, expect.stringMatching(/^g kg/)],
    [14.8, expect.stringMatching(/^g kg/)],
  ])
})

test('trials at several towns are held back', async () => {
  const bytes = readFileSync(new URL('../../test/voices/g/g18.pdf', import.meta.url))
  const { data, metadata } = await extract(bytes)
  expect([data.tratamentos, metadata.held]).toEqual([[], 'not_one_trial'])
  expect([data.cidade, data.cultivar, data.teor_argila]).toEqual([null, null, null])
})

test('a sheet whose coloured band stands beside its table, with costs in a list of labels', async () => {
  const bytes = readFileSync(new URL('../../test/voices/j/j14.pdf', import.meta.url))
  const { tratamentos, regional } = (await extract(bytes)).data
  expect(regional).toBe('Médio-Norte')
  expect(tratamentos.map(({ produtividade }) => produtividade)).toEqual([6084, 6420, 6612, 6750, 6534])
  expect(tratamentos.map(({ custo }) => custo).slice(1)).toEqual([38, 76, 92, 54])
})

test.each([
  ['a protocol without results, with the plan of its plots', 'i/i11'],
  ['a proposal with prices', 'j/j09'],
  ['a season of five trials, each under its number', 'aj/aj13'],
  ['a visit to fields of two crops', 's/s14'],
])('%s is held back', async (_what, file) => {
  const bytes = readFileSync(new URL(`../../test/voices/${file}.pdf`, import.meta.url))
  const { data, metadata } = await extract(bytes)
  expect([data.tratamentos, metadata.held]).toEqual([[], 'not_one_trial'])
})

test('the costs of products are told by parts of a sum, and only where they add up', async () => {
  const bytes = readFileSync(new URL('../../test/voices/c/c02.pdf', import.meta.url))
  const { tratamentos } = (await extract(bytes)).data
  expect(tratamentos[4]?.custo).toBe(78.2)
  expect(tratamentos[4]?.produtos_aplicados.map(({ custo }) => custo)).toEqual([59.2, 19])
})

test('a table that goes on over the page keeps its measurement, and the next caption is of the next table', async () => {
  const bytes = readFileSync(new URL('../../test/voices/m/m08.pdf', import.meta.url))
  const { tratamentos } = (await extract(bytes)).data
  expect(
    tratamentos[0]?.analises_adicionais.map(({ nome, valor, unidade }) => [nome, valor, unidade]),
  ).toEqual([
    ['Peso de mil grãos (PMG)', 249.7, 'g'],
    ['Estande final', 10.5, 'plantas/m'],
    ['Altura de plantas', 58.6, 'cm'],
  ])
})

test('sums of doses and ways in one cell are told apart, and a mixture has those of its parts', async () => {
  const bytes = readFileSync(new URL('../../test/voices/m/m10.pdf', import.meta.url))
  const { tratamentos } = (await extract(bytes)).data
  expect(
    tratamentos.map(({ produtos_aplicados }) =>
      produtos_aplicados.map(({ nome, dose, unidade }) => [nome, dose, unidade]),
    ),
  ).toEqual([
    [],
    [['Tuberon', 2, 'L/ha']],
    [['Calciplus', 4, 'L/ha']],
    [
      ['Tuberon', 2, 'L/ha'],
      ['Calciplus', 4, 'L/ha'],
    ],
  ])
})

test('letters on a gradient are read, and a treatment that got what another got, and more', async () => {
  const voice = (file: string) => readFileSync(new URL(`../../test/voices/${file}.pdf`, import.meta.url))
  expect((await extract(voice('s/s04'))).data.regional).toBe('Matopiba')
  const { tratamentos } = (await extract(voice('s/s02'))).data
  expect(tratamentos[4]?.produtos_aplicados.map(({ nome, dose, unidade }) => [nome, dose, unidade])).toEqual([
    ['NoduFix Feijão', 600, 'mL/ha'],
    ['CoMolybdus', 150, 'mL/ha'],
  ])
})

test('a row a plot tells of no treatment where their means are told', async () => {
  const bytes = readFileSync(new URL('../../test/voices/t/t10.pdf', import.meta.url))
  const { tratamentos, teor_argila } = (await extract(bytes)).data
  expect(tratamentos.map(({ produtividade }) => produtividade)).toEqual([
    94_200, 101_600, 106_900, 99_800, 107_300, 112_400,
  ])
  expect(tratamentos[0]?.analises_adicionais.map(({ nome, valor }) => [nome, valor])).toEqual([
    ['Colmos/m', 11.9],
    ['ATR', 134.8],
    ['TAH', 12.7],
  ])
  expect(teor_argila).toBe(31)
})

test('who made a trial and for whom is told by letterheads, letters, bars and labels', async () => {
  const read = async (file: string) =>
    (await extract(readFileSync(new URL(`../../test/voices/${file}.pdf`, import.meta.url)))).data
  const told: [file: string, fields: object][] = [
    ['v/v05', { consultoria: 'Serra Negra Consultoria Cafeeira', marca: 'Florir Fertilizantes Especiais' }],
    ['v/v07', { consultoria: 'OrizaFronteira Consultoria', marca: 'Aderex Adjuvantes' }],
    ['v/v10', { consultoria: 'GERHARDT & DAL MOLIN', marca: 'Fosmineral Nutrição de Plantas' }],
    ['u/u02', { marca: expect.stringMatching(/^Nutricampo/), teor_argila: 18 }],
    ['u/u03', { marca: 'Verdecampo Nutrição Vegetal' }],
    ['u/u06', { consultoria: 'Instituto Gaúcho da Orizicultura Irrigada' }],
    ['u/u01', { cidade: 'Ivaiporã', estado: 'PR', cultivar: 'Valente 59i', custo_protocolo: null }],
    ['w/w06', { consultoria: 'Cafélab Pesquisa e Extensão', cultivar: 'Catuaí Vermelho IAC 144' }],
    ['w/w10', { cultivar: 'Pera Rio' }],
    // A row 'Valor de F' is no treatment, a caption beside a table does not end it, 'terço médio' is no unit.
    ['x/x05', { tratamentos: { length: 6 }, cultivar: 'IAC Sintonia' }],
    ['x/x04', { tratamentos: Array(6).fill({ analises_adicionais: [{ unidade: null }, {}, {}, {}] }) }],
    ['x/x06', { tratamentos: [{ modalidade: null }, ...Array(6).fill({ modalidade: 'Cobertura' })] }],
    [
      'x/x02',
      {
        ano: 2024,
        tratamentos: ['Testemunha', 'Raizmonte', 'Nemamonte', 'Raizmonte + Nemamonte'].map((nome) => ({
          nome,
        })),
      },
    ],
    // Cards beside a box of means, a line a product.
    [
      'x/x11',
      {
        tipo_estatistica: 'Quadrado Latino',
        tratamentos: [0, 1, 2, 1, 2].map((length) => ({
          produtos_aplicados: { length },
          analises_adicionais: { length: 3 },
        })),
      },
    ],
    // Yields in charts alone: bars that lie, and bars over their codes.
    [
      'y/y06',
      { tratamentos: [3936, 4123.5, 4219.5, 4362, 4522.5, 4254].map((produtividade) => ({ produtividade })) },
    ],
    ['z/z03', { tratamentos: [6744, 7074, 7158, 7260, 7482].map((produtividade) => ({ produtividade })) }],
    // A nutrient's dose beside the product's; 'renda do benefício' is no money.
    [
      'z/z07',
      {
        tratamentos: [0, 200, 333, 205, 341, 237, 395].map((dose) => ({
          produtos_aplicados: dose === 0 ? [] : [{ dose }],
          analises_adicionais: { length: 5 },
        })),
      },
    ],
    // Two tables with one space between them, the second's headings in two lines.
    [
      'z/z10',
      {
        tratamentos: Array(8).fill({
          analises_adicionais: ['Severidade R5.5', 'Desfolha R6', 'MMG'].map((nome) => ({ nome })),
        }),
      },
    ],
    // 'Silimax 200 g/100 L'; what a buyer paid is no cost.
    [
      'z/z12',
      {
        tratamentos: [
          ...[{}, {}, {}, {}],
          { produtos_aplicados: [{ nome: 'Silimax', dose: 200 }] },
          { custo: null, produtos_aplicados: [{ nome: 'Silimax', dose: 200 }, { nome: 'Calfruto' }] },
        ],
      },
    ],
    // Names, active ingredients and doses beside each other, '*' for a note, 'Padrão 2 (X + Y)'.
    [
      'aa/aa01',
      {
        tratamentos: [
          [],
          [
            ['Vextra 300 SC', 400, 'mL/ha'],
            ['Oleoplus', 500, 'mL/ha'],
          ],
          [
            ['Vextra 300 SC', 500, 'mL/ha'],
            ['Oleoplus', 500, 'mL/ha'],
          ],
          [
            ['Vextra 300 SC', 400, 'mL/ha'],
            ['Manzil 750 WG', 1500, 'g/ha'],
            ['Oleoplus', 500, 'mL/ha'],
          ],
          [
            ['Vextra 300 SC', 400, 'mL/ha'],
            ['Clorotal 720', 1200, null],
          ],
          [
            ['Trifox 425 EC', 300, 'mL/ha'],
            ['Oleoplus', 500, 'mL/ha'],
          ],
          [
            ['Binary 250 WG', 200, 'g/ha'],
            ['Manzil 750 WG', 1500, 'g/ha'],
            ['Oleoplus', 500, 'mL/ha'],
          ],
        ].map((products) => ({
          produtos_aplicados: products.map(([nome, dose, unidade]) => ({ nome, dose, unidade })),
        })),
      },
    ],
    // 'jato no sulco, 50 L/ha' is a way with its spray, 'L/100 kg sem.' a dose.
    [
      'aa/aa06',
      {
        tratamentos: [
          ['Nemaprot', 0.3],
          ['Nemaprot', 1],
          ['Nemaprot', 1.5],
          ['Nemaprot', 1.5, 'Rizofort', 2],
          ['Fluotrex 500', 0.5],
        ].reduce<object[]>(
          (all, [nome, dose, ...more]) =>
            all.concat({ produtos_aplicados: [{ nome, dose }, ...(more[0] ? [{ nome: more[0] }] : [])] }),
          [{}],
        ),
      },
    ],
    // A letter's list whose control is 'Só a adubação do Sr. Hélio (nada a mais)'.
    [
      'aa/aa10',
      { tratamentos: [38_600, 40_900, 44_200, 46_100, 41_300].map((produtividade) => ({ produtividade })) },
    ],
    // 'Sigla | Denominação' explains what the tables of means call each, 'na folha' how each was applied.
    [
      'ab/ab02',
      {
        tratamentos: [
          ['Testemunha', null],
          ['Algamar 1,0', 'Foliar'],
          ['Algamar 2,0', 'Foliar'],
          ['Algamar 3,0', 'Foliar'],
          ['Algamar solo', 'Solo'],
          ['Folhavit 2,0', 'Foliar'],
          ['Algamar 2,0 + Folhavit 2,0', 'Foliar'],
        ].map(([nome, modalidade]) => ({ nome, modalidade })),
      },
    ],
    // 'linha 1' to 'linha 5' are plots, 'geral' is their mean.
    ['ab/ab05', { tratamentos: Array(5).fill({ analises_adicionais: { length: 5 } }) }],
    // 'Quanto custa cada modo, em reais por hectare'
    ['ab/ab06', { tratamentos: [0, 400, 710, 215, 99.5, 475].map((custo) => ({ custo })) }],
    // What a program for trials prints above its figures: pest, crop, part, date, kind, unit.
    [
      'ac/ac05',
      {
        tratamentos: Array(8).fill({
          analises_adicionais: { length: 5, 2: { nome: 'DON', unidade: 'PPB' }, 3: { unidade: 'G' } },
        }),
      },
    ],
    // Boxes of oranges, whose weight a note says; 'Faixa adequada' is no treatment.
    [
      'ac/ac12',
      {
        tratamentos: [1096, 1232, 1283, 1359, 1208].map((boxes) => ({
          produtividade: expect.closeTo(40.8 * boxes, 1),
        })),
      },
    ],
    // A list of the record's fields beside the table, lines of both at one height.
    [
      'ad/ad07',
      {
        ...{ cidade: 'Campo Verde', latitude: -15.5472, longitude: -55.1689, cultivar: 'TMG 31 B3RF' },
        ...{ teor_argila: 49, teor_materia_organica: 3.2 },
        tratamentos: [281.5, 290.2, 297.6, 305.3, 301.1, 308.7].map((arrobas) => ({
          produtividade: expect.closeTo(15 * arrobas, 1),
          analises_adicionais: { length: 3 },
        })),
      },
    ],
    // Yields over bars; what a sentence says of a gain over the control is none.
    [
      'ad/ad12',
      {
        tratamentos: [82.5, 86, 89.5, 88, 94, 91.5, 85, 84.5].map((sacks) => ({ produtividade: 60 * sacks })),
      },
    ],
    // Doses that stand with how and when under 'Como'; a control called 'TEST'.
    [
      'ad/ad08',
      {
        tratamentos: [[], [150], [4], [10], [4, 1]].map((doses, i) => ({
          ...(i === 0 && { nome: 'Testemunha' }),
          produtos_aplicados: doses.map((dose) => ({ dose })),
        })),
      },
    ],
    // Coordinates of which a line holds each.
    ['ad/ad03', { latitude: -18.9439, longitude: -46.9925 }],
    // Each product with its dose on a line of its own, in one cell.
    [
      'af/af02',
      {
        tratamentos: [[], [100], [100, 150], [100, 150, 200], [100, 250], [200]].map((doses, i) => ({
          produtividade: expect.closeTo([3498, 3762, 3924, 4026, 3972, 3726][i] ?? 0, 1),
          produtos_aplicados: doses.map((dose) => ({ dose, unidade: 'mL/100 kg sementes' })),
        })),
      },
    ],
    // Programmes A to F of a list, a table of their letters, and bars over letters.
    [
      'ae/ae11',
      {
        tratamentos: [3160, 4285, 4490, 4820, 4610, 4975].map((produtividade) => ({
          produtividade,
          analises_adicionais: { length: 4 },
        })),
      },
    ],
    // 'FE | GF | MMG (g) | PG' over their units, below the rest of a caption that explains them.
    [
      'ae/ae02',
      {
        tratamentos: Array(6).fill({
          analises_adicionais: expect.arrayContaining([
            expect.objectContaining({ nome: 'Fileiras por espiga (FE)' }),
            expect.objectContaining({ nome: 'Grãos por fileira (GF)' }),
          ]),
        }),
      },
    ],
    // A dashboard: bars that lie, costs beside yields, two tables side by side on heights of their own.
    [
      'x/x08',
      {
        tratamentos: [
          [56.2, 0],
          [58.1, 24],
          [58.9, 58],
          [59.3, 41],
          [57.4, 19.5],
          [61.8, null],
          [58.5, 45],
        ].map(([sacks, custo]) => ({
          produtividade: expect.closeTo(60 * (sacks ?? 0), 1),
          ...(custo !== null && { custo }),
          analises_adicionais: { length: 4 },
        })),
      },
    ],
    // Products as headings over bare amounts, just where a treatment's name has them; a sentence tells the unit.
    [
      'ae/ae09',
      {
        tratamentos: [[], [200], [400], [150], [200, 150], [200, 150, 300]].map((doses) => ({
          produtos_aplicados: doses.map((dose) => ({ dose, unidade: 'mL/100 kg sementes' })),
        })),
      },
    ],
    // A band at the side of a dashboard.
    [
      'ab/ab10',
      { regional: 'Cerrado Leste', cidade: 'Campos Lindos', teor_argila: 27.5, teor_materia_organica: 1.9 },
    ],
    // Levels of two nutrients in columns of their own, the yield their mean; a note tells in what they were given.
    [
      'an/an05',
      {
        tratamentos: [
          [2181, []],
          [2319, [['Molibdato de sódio', 30]]],
          [2305, [['Molibdato de sódio', 60]]],
          [2289, [['Molibdato de sódio', 90]]],
          [2507, [['Ureia', 40]]],
          [
            2703,
            [
              ['Ureia', 40],
              ['Molibdato de sódio', 30],
            ],
          ],
          ...Array(10).fill(null),
        ].map((one) =>
          one
            ? {
                produtividade: one[0],
                produtos_aplicados: one[1].map(([nome, dose]: [string, number]) => ({ nome, dose })),
              }
            : {},
        ),
      },
    ],
    // A laboratory's samples A to E along a row, below what 'Amostra' spans, beside means and methods.
    [
      'an/an07',
      {
        tratamentos: [2076, 2334, 2232, 2550, 2478].map((produtividade) => ({
          produtividade,
          analises_adicionais: expect.arrayContaining([expect.objectContaining({ unidade: 'mg/kg' })]),
        })),
      },
    ],
    // 'T2 – T1 + X 600 mL/ha' in a list, yields over bars.
    [
      'an/an11',
      {
        tratamentos: [31800, 33600, 34900, 37400, 36100, 39700, 35200].map((produtividade, i) => ({
          produtividade,
          produtos_aplicados: { length: [0, 1, 1, 2, 1, 2, 1][i] },
        })),
      },
    ],
    // Two factors crossed, 'S' and 'C' told by the caption, the factor's name over 'Sem | Com'.
    [
      'an/an02',
      {
        tratamentos: [2314, 2976, 3548, 3721, 3583, 2268, 3012, 3702, 4106, 4187].map((produtividade) => ({
          produtividade,
          analises_adicionais: { length: 4 },
        })),
      },
    ],
    // 'ATR 2,0 + MES 0,25' in tables of a fixed type, in full in a list that counts the same.
    [
      'an/an13',
      {
        tratamentos: [
          [],
          [],
          [['Atranol 500 SC', 3]],
          [
            ['Atranol 500 SC', 2],
            ['Mesotrin 480', 0.25],
          ],
          [
            ['Atranol 500 SC', 3],
            ['Mesotrin 480', 0.25],
          ],
          [
            ['Atranol 500 SC', 2],
            ['Tembrion 420', 180],
          ],
          [['Tembrion 420', 180]],
        ].map((own) => ({ produtos_aplicados: own.map(([nome, dose]) => ({ nome, dose })) })),
      },
    ],
    // Shaded rows without the borders that the others have.
    [
      'ao/ao09',
      {
        tratamentos: [2934, 3192, 3276, 3318, 3528, 3492, 3804].map((produtividade) => ({
          produtividade,
          analises_adicionais: { length: 6 },
        })),
      },
    ],
    // Seed cotton on one page, its lint on another; sacks of 50 kg on cards.
    [
      'ao/ao04',
      {
        tratamentos: [4210.5, 4560.0, 4786.5, 4525.5, 4896.0, 4426.5].map((produtividade) => ({
          produtividade,
        })),
      },
    ],
    ['an/an08', { tratamentos: [7480, 7860, 8040, 8420].map((produtividade) => ({ produtividade })) }],
    // Classes of tubers and cuts of a pasture under a caption with the unit: the total is the harvest.
    [
      'ao/ao12',
      {
        tratamentos: [39400.0, 42000.0, 43400.0, 41800.0, 44400.0, 42000.0, 46200.0].map((produtividade) => ({
          produtividade,
          analises_adicionais: expect.arrayContaining([
            expect.objectContaining({ nome: 'Extra', unidade: 't/ha' }),
          ]),
        })),
      },
    ],
    ['ao/ao11', { tratamentos: [4730, 6240, 6690, 7290, 5950].map((produtividade) => ({ produtividade })) }],
    // 'L ha-1 (formulações EC e SC) ou kg ha-1 (WG)' below the doses.
    [
      'ao/ao01',
      {
        tratamentos: [
          {},
          {},
          {
            produtos_aplicados: [
              { nome: 'Tribenzol 250 EC', unidade: 'L/ha' },
              { nome: 'Mancoplex 800 WG', unidade: 'kg/ha' },
            ],
          },
          ...Array(5).fill({}),
        ],
      },
    ],
    // Bars over '4. Algamax + Borosol' in two lines.
    [
      'an/an03',
      { tratamentos: [4069.5, 4254, 4303.5, 4473, 4215, 4405.5].map((produtividade) => ({ produtividade })) },
    ],
    // 'No primeiro (T1) …', 'Em T4 …', 'O tratamento T5 repetiu …': an article that tells its treatments in sentences.
    [
      'ap/ap03',
      {
        tratamentos: [
          [],
          [['Ureia', 178]],
          [['Rhizomax', 200]],
          [
            ['Rhizomax', 200],
            ['Azofix', 200],
          ],
          [
            ['Rhizomax', 200],
            ['Azofix', 200],
            ['Ureia', 89],
          ],
          [['Rhizomax', 300]],
        ].map((own) => ({ produtos_aplicados: own.map(([nome, dose]) => ({ nome, dose })) })),
      },
    ],
    // A table a variable, each by its own order; what can be sold is a part of the harvest; units alone as headings.
    [
      'ap/ap05',
      {
        tratamentos: [
          [31420, 22.91, 38.4, 17.6, 24.1],
          [46280, 39.15, 57.2, 18.4, 44.8],
        ]
          .map(([produtividade, ...values]) => ({
            produtividade,
            analises_adicionais: values.map((valor) => ({ valor })),
          }))
          .concat(Array(4).fill({})),
      },
    ],
    // 'Fertilizante (kg/ha)' was applied; the total of the cuts is the harvest.
    [
      'ap/ap08',
      { tratamentos: [5313, 8645, 9290, 9434, 9186, 8880].map((produtividade) => ({ produtividade })) },
    ],
    // 'Alto | Médio | Baixo' are parts of a plant, their unit in the caption.
    [
      'ap/ap10',
      {
        tratamentos: Array(7).fill({
          analises_adicionais: expect.arrayContaining([
            expect.objectContaining({ nome: 'Baixo', unidade: 'µL/cm²' }),
          ]),
        }),
      },
    ],
    // Letters that count down a column of a scan, beside a list of them.
    [
      'ao/ao10',
      { tratamentos: [32600, 36900, 38100, 40800, 37000, 41500].map((produtividade) => ({ produtividade })) },
    ],
    // 'idem T4 mais X', 'os três produtos juntos'.
    [
      'an/an09',
      {
        tratamentos: [[], [1], [0.5], [1], [1, 1], [1, 0.5], [1, 0.5], [1, 0.5, 1]].map((doses) => ({
          produtos_aplicados: { length: doses.length },
        })),
      },
    ],
    // Amounts in front of the numbers of their treatments.
    ['aq/aq03', { tratamentos: [null, 62, 124, 145.5, 207.5, 98].map((custo) => ({ custo })) }],
    // Severity and defoliation in charts beside each other.
    [
      'as/as05',
      {
        tratamentos: [
          [62, 88],
          [41.5, 71],
          [24.3, 52],
          [35.8, 64],
          [18.7, 43],
          [15.2, 39],
        ].map((values) => ({ analises_adicionais: values.map((valor) => ({ valor })) })),
      },
    ],
    // What teaches how to read a trial, with an example of its own making.
    ['as/as14', { tratamentos: [] }],
    // 'SIL-0' to 'PADRÃO' name the rows of one table and head the columns of two, one of which has a row a block.
    [
      'ax/ax08',
      {
        tratamentos: [
          [8420, 11.6],
          [8870, 8.9],
          [9310, 6.2],
          [9580, 4.8],
          [9490, 4.6],
          [9230, 3.9],
        ].map(([produtividade, valor]) => ({
          produtividade,
          analises_adicionais: expect.arrayContaining([expect.objectContaining({ valor })]),
        })),
      },
    ],
    // 'A – testemunha; B – sais: X + Y': a list in small letters; the title of the next section is no row of a table.
    [
      'ax/ax04',
      {
        tratamentos: [
          [2184, null, 0],
          [2502, 268.4, 2],
          [2538, 392, 1],
          [2706, 616, 1],
          [2850, 587.2, 2],
        ].map(([produtividade, custo, length]) => ({ produtividade, custo, produtos_aplicados: { length } })),
      },
    ],
    // Yields in boxes of 22 kg, what was measured and what it cost: a letter tells it all by names and 'a mistura'.
    [
      'ax/ax10',
      {
        tratamentos: [
          [58080, null, 9.8, 168],
          [65670, 1150, 4.1, 174],
          [67584, 1480, 8.7, 181],
          [72820, 2630, 3.6, 186],
        ].map(([produtividade, custo, ...values]) => ({
          ...{ produtividade, custo },
          analises_adicionais: values.map((valor) => ({ valor })),
        })),
      },
    ],
    // 'Talhão A – …', and sentences that call them by their letters.
    [
      'aw/aw09',
      {
        tratamentos: [
          [39249.6, 11.2, 168],
          [42187.2, 11.5, 177],
          [45165.6, 11.9, 185],
          [40718.4, 11.3, 172],
        ].map(([produtividade, ...values]) => ({
          produtividade,
          analises_adicionais: values.map((valor) => ({ valor })),
        })),
      },
    ],
    // 'Ureia (kg/ha)' beside 'Trinexal 250 EC (L/ha)' are doses; 'N em cobertura' is neither product nor harvest.
    [
      'aw/aw01',
      {
        tratamentos: Array.from({ length: 8 }, (_, i) => ({
          nome: i === 0 ? 'Testemunha' : expect.stringContaining('kg/ha de N'),
          analises_adicionais: { length: 4 },
        })),
      },
    ],
    // 'K2O fornecido (kg/ha)' was given, not harvested.
    [
      'aw/aw12',
      {
        tratamentos: [3189, 3724.5, 4153.5, 4371, 4395, 3952.5].map((produtividade) => ({ produtividade })),
      },
    ],
    // One product a row, the numbers of treatments again in each; '6 - TEST.' is a number.
    [
      'ay/ay02',
      {
        tratamentos: [
          [6179, 0],
          [6411, 1],
          [6582, 1],
          [6881, 2],
          [6772, 2],
          [7138, 3],
        ].map(([produtividade, length]) => ({ produtividade, produtos_aplicados: { length } })),
      },
    ],
    // Tables 1 and 2 stand on the same columns, each under its name; in the order of the means.
    [
      'az/az07',
      { tratamentos: [4197, 4666.5, 4566, 4497, 4392].map((produtividade) => ({ produtividade })) },
    ],
    // A typewriter's '7.315', of which a scan had kept '315'; numbers in Roman figures.
    [
      'aw/aw04',
      { tratamentos: [6842, 7315, 7804, 7960, 7126, 7688].map((produtividade) => ({ produtividade })) },
    ],
    // A project with planned treatments, costs and yields to be reached.
    ['az/az11', { tratamentos: [] }],
    // A review of the literature, and a booklet of five trials: their words are not those of a report.
    ['aw/aw11', { tratamentos: [] }],
    ['aw/aw05', { tratamentos: [] }],
    // Minutes of a meeting: two crops in one table, each with its control.
    ['av/av13', { tratamentos: [] }],
    // A protocol without results, one of whose columns is nitrogen in kg/ha.
    ['w/w14', { tratamentos: [] }],
  ]
  for (const [file, fields] of told) expect([file, await read(file)]).toMatchObject([file, fields])
})
