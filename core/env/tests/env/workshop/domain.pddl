; A workshop: quantifiers, conditional effects, equality, a hierarchy of types.
(define (domain workshop)
  (:requirements :adl :typing :action-costs)
  (:types worker place thing - object tool - thing)
  (:constants Shelf_bar_1 - place)
  (:predicates (at ?w - worker ?p - place) (in ?t - thing ?p - place) (holds ?w - worker ?t - thing)
    (busy ?w - worker) (lid ?p - place) (open ?p - place) (dusty ?t - thing) (oiled ?t - thing)
    (tidy) (seen ?p - place))
  (:functions (total-cost) - number)

  (:action Look :parameters (?w - worker ?p - place) :precondition (at ?w ?p) :effect (seen ?p))

  (:action Walk :parameters (?w - worker ?from - place ?to - place)
    :precondition (and (at ?w ?from) (not (= ?from ?to)))
    :effect (and (not (at ?w ?from)) (at ?w ?to) (increase (total-cost) 1)))

  (:action Lift :parameters (?w - worker ?p - place)
    :precondition (and (at ?w ?p) (lid ?p) (not (open ?p)))
    :effect (open ?p))

  (:action Take :parameters (?w - worker ?p - place ?t - thing)
    :precondition (and (at ?w ?p) (in ?t ?p) (not (busy ?w)) (imply (lid ?p) (open ?p)))
    :effect (and (holds ?w ?t) (busy ?w) (not (in ?t ?p))))

  (:action Put :parameters (?w - worker ?p - place ?t - thing)
    :precondition (and (at ?w ?p) (holds ?w ?t) (or (not (lid ?p)) (open ?p)))
    :effect (and (in ?t ?p) (not (holds ?w ?t)) (not (busy ?w))))

  (:action Blow :parameters (?w - worker ?p - place)
    :precondition (at ?w ?p)
    :effect (forall (?t - thing) (when (in ?t ?p) (not (dusty ?t)))))

  (:action Oil :parameters (?w - worker ?p - place ?t - thing)
    :precondition (and (at ?w ?p) (in ?t ?p) (exists (?k - tool) (holds ?w ?k)))
    :effect (when (not (dusty ?t)) (oiled ?t)))

  (:action Inspect :parameters (?w - worker ?p - place)
    :precondition (and (at ?w ?p) (forall (?t - thing) (imply (in ?t ?p) (not (dusty ?t)))))
    :effect (tidy)))
